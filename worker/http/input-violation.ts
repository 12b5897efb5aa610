import type * as z from 'zod'
import { type Violation, violation } from '#contract/kernel/result.ts'

/** What a schema finds first, as a refusal that names the field. */
export const inputViolation = (issue: z.core.$ZodIssue | undefined): Violation =>
  violation('INPUT_INVALID', { reason: issue?.message ?? '' }, issue?.path.join('.') || undefined)
