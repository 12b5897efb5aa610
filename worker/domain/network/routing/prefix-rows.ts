import type { PrefixRow } from '#contract/network/fields.ts'
import { isInside, sortSegments } from '../addresses/segments.ts'

/* Effect of prefix rows (网络号) on segments: the row that decides, and the segments that the rows block. */

/** The first matching row decides; without a match everything is denied. Without rows everything passes. */
export function blockingRow(rows: readonly PrefixRow[], prefix: string): number | null {
  if (rows.length === 0) return null
  const decisive = rows.findIndex((row) => matches(row, prefix))
  if (decisive < 0) return 0
  return rows[decisive]?.permission === 'permit' ? null : decisive + 1
}

function matches({ ip, mask, ge, le }: PrefixRow, prefix: string): boolean {
  const length = Number(prefix.split('/')[1])
  return length >= (ge ?? mask) && length <= le && isInside(prefix, `${ip}/${mask}`)
}

/** Segments that no row permits, each once. */
export const blockedSegments = (rows: readonly PrefixRow[], declared: readonly string[]): readonly string[] =>
  sortSegments(declared.filter((segment) => blockingRow(rows, segment) !== null))
