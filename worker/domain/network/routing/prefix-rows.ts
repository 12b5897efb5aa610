import type { PrefixRow } from '#contract/network/fields.ts'
import { type Range, parseRange, sortSegments } from '../addresses/segments.ts'

/* Effect of prefix rows (网络号) on segments: the row that decides, and the segments that the rows block. */

/** The first matching row decides; without a match everything is denied. Without rows everything passes. */
export function blockingRow(rows: readonly PrefixRow[], prefix: string): number | null {
  if (rows.length === 0) return null
  const { matchers, verdicts } = compiled(rows)
  const known = verdicts.get(prefix)
  if (known !== undefined) return known
  const range = parseRange(prefix)
  const length = Number(prefix.split('/')[1])
  const decisive = range === null ? -1 : matchers.findIndex((matches) => matches(range, length))
  const verdict = decisive < 0 ? 0 : rows[decisive]?.permission === 'permit' ? null : decisive + 1
  verdicts.set(prefix, verdict)
  return verdict
}

type Matcher = (range: Range, length: number) => boolean

interface CompiledRows {
  readonly matchers: readonly Matcher[]
  readonly verdicts: Map<string, number | null>
}

/** Verdicts of the same rows: the routes of each compared member ask about each prefix of the network. */
const cache = new WeakMap<readonly PrefixRow[], CompiledRows>()

function compiled(rows: readonly PrefixRow[]): CompiledRows {
  const known = cache.get(rows)
  if (known) return known
  const made = { matchers: rows.map(toMatcher), verdicts: new Map() }
  cache.set(rows, made)
  return made
}

function toMatcher({ ip, mask, ge, le }: PrefixRow): Matcher {
  const outer = parseRange(`${ip}/${mask}`)
  const shortest = ge ?? mask
  return ({ first, last }, length) =>
    outer !== null && length >= shortest && length <= le && outer.first <= first && last <= outer.last
}

/** Segments that no row permits, each once. */
export const blockedSegments = (rows: readonly PrefixRow[], declared: readonly string[]): readonly string[] =>
  sortSegments(declared.filter((segment) => blockingRow(rows, segment) !== null))
