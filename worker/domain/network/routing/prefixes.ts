import { type Violation, violation } from '#contract/kernel/result.ts'
import { alignAddress } from '#contract/kernel/ipv4.ts'
import type { PrefixRow } from '#contract/network/fields.ts'
import { PREFIX } from '#contract/network/limits.ts'

/** A network number that lay inside its mask's boundary. */
export interface Correction {
  readonly row: number
  readonly from: string
  readonly to: string
}

/** Rows with each network number at the boundary of its mask, and what was corrected, old → new (network 5). */
export function alignPrefixes(rows: readonly PrefixRow[]): { rows: PrefixRow[]; corrected: Correction[] } {
  const aligned = rows.map((row) => ({ ...row, ip: alignAddress(row.ip, row.mask) }))
  const corrected = rows.flatMap(({ ip, mask }, row) => {
    const to = aligned[row]?.ip ?? ip
    return to === ip ? [] : [{ row, from: `${ip}/${mask}`, to: `${to}/${mask}` }]
  })
  return { rows: aligned, corrected }
}

/** No duplicates (network 5): two rows of the same network number, after the correction. */
export function checkPrefixes(aligned: readonly PrefixRow[]): Violation | null {
  const seen = new Set<string>()
  for (const [row, { ip, mask }] of aligned.entries()) {
    const prefix = `${ip}/${mask}`
    if (seen.has(prefix)) return violation('PREFIX_TWICE', { prefix }, `prefix.${row}.ip`)
    seen.add(prefix)
  }
  return null
}

/** True for a row that uses the advanced mode: permission, ge or le. */
export const isAdvanced = ({ permission, ge, le }: PrefixRow): boolean =>
  permission !== 'permit' || ge !== null || le !== PREFIX.leMax

/** True when rows use advanced fields that are not stored yet. An account that lost the feature keeps its rows. */
export function gainsAdvanced(next: readonly PrefixRow[], before: readonly PrefixRow[]): boolean {
  const keyOf = ({ ip, mask, permission, ge, le }: PrefixRow) => JSON.stringify([ip, mask, permission, ge, le])
  const known = new Set(before.map(keyOf))
  return next.some((row) => isAdvanced(row) && !known.has(keyOf(row)))
}
