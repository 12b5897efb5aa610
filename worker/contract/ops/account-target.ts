import * as z from 'zod'
import { username } from '#contract/kernel/fields.ts'

/** The account that an operator's call is about, by its sign-in name. */
export const accountTarget = z.object({ account: username })
