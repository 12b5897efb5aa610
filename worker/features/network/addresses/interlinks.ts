import type { Violation } from '#contract/kernel/result.ts'
import type { Revision } from '#db/conflict.ts'
import type { Member } from '#domain/network/members/membership.ts'
import type { Ctx } from '#http/context.ts'
import { guardNeighbors } from '../sql/neighbors.ts'
import type { NetworkKey } from '../sql/settings.ts'
import { MASK } from '#contract/network/limits.ts'

/** Free segments of links are proposed behind it. */
export const FIRST_INTERLINK = `172.31.0.0/${MASK.interlinkDefault}`

/** A refusal of a form whose fields have no group. */
export const atRoot = (found: Violation | null): Violation | null =>
  found?.field?.startsWith('.') ? { ...found, field: found.field.slice(1) } : found

/** Guards that neighbouring networks stay as they were read: segments were chosen against them. */
export const guardAround = (
  { db }: Ctx,
  key: NetworkKey,
  { members, beside }: { readonly members: readonly Member[]; readonly beside: readonly Revision[] },
) => guardNeighbors(db, key, members, beside)
