/* Comparison of two releases by their counters over the same time. */

/** Counters of one release (`GET /ops/v1/status`). */
export interface Counted {
  readonly release: string
  readonly calls: number
  readonly faults: number
  readonly refusals: number
  readonly overloads: number
}

/** A release is worse from this number on, and above this many times the share of the old one. */
const WORSE = { least: 20, times: 2 } as const

const KINDS = ['faults', 'refusals', 'overloads'] as const

/** Names in words the counts that the new release does worse at; null for none, or without counters to compare with. */
export function toComplaint({ fresh, old }: { readonly fresh: Counted; readonly old: Counted | null }): string | null {
  if (old === null || old.calls === 0) return null
  const worse = KINDS.filter(
    (kind) => fresh[kind] >= WORSE.least && fresh[kind] * old.calls > WORSE.times * old[kind] * fresh.calls,
  )
  if (worse.length === 0) return null
  return worse
    .map((kind) => `${fresh[kind]} ${kind} of ${fresh.calls} calls, the old one ${old[kind]} of ${old.calls}`)
    .join('; ')
}
