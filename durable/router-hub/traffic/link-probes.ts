/* Probes of links as sums, from which latency and loss follow at every level of the stored traffic. */

/** Probes of a time. Whole numbers, so that they pack; times in tenths of a millisecond. */
export interface Probes {
  readonly asked: number
  readonly lost: number
  /** Sum of the round trips of those that were answered. */
  readonly rtt: number
  readonly rttMax: number
}

/** Sums of a device since it began to watch a link, with its longest round trip since the frame before. */
export type ProbeSums = Probes

/** Tenths of a millisecond. */
export const TENTHS = 10
const RTT_MAX = 60_000 * TENTHS
/** Probes of a device at most: one a second. */
const PER_MS = 1 / 1_000
const AHEAD = 5

interface SentSums {
  readonly asked?: number | undefined
  readonly lost?: number | undefined
  readonly rtt_sum_ms?: number | undefined
  readonly rtt_max_ms?: number | undefined
}

/** Sums of a frame; undefined of a device that sends none. */
export const toProbeSums = ({ asked, lost, rtt_sum_ms = 0, rtt_max_ms = 0 }: SentSums): ProbeSums | undefined =>
  asked === undefined || lost === undefined
    ? undefined
    : { asked, lost, rtt: Math.round(rtt_sum_ms * TENTHS), rttMax: Math.round(rtt_max_ms * TENTHS) }

/** Probes between two readings; sums that fell have started over. Undefined if unknown, or more than a device can send. */
export function probesBetween(
  last: ProbeSums | undefined,
  next: ProbeSums | undefined,
  lengthMs: number,
): Probes | undefined {
  if (!last || !next) return undefined
  const isOver = next.asked < last.asked || next.lost < last.lost || next.rtt < last.rtt
  const base = isOver ? { asked: 0, lost: 0, rtt: 0 } : last
  const asked = next.asked - base.asked
  const lost = next.lost - base.lost
  const rtt = next.rtt - base.rtt
  if (asked === 0 || asked > lengthMs * PER_MS + AHEAD || lost > asked || rtt > asked * RTT_MAX) return undefined
  return { asked, lost, rtt, rttMax: Math.min(next.rttMax, RTT_MAX) }
}

/** The part of a time between two shares of it; the parts of one time add up to it. */
export const shareOf = ({ asked, lost, rtt, rttMax }: Probes, given: number, share: number): Probes => {
  const part = (sum: number) => Math.round(sum * share) - Math.round(sum * given)
  return { asked: part(asked), lost: part(lost), rtt: part(rtt), rttMax }
}

export function addProbes(a: Probes | undefined, b: Probes | undefined): { readonly probes?: Probes } {
  if (!a || !b) {
    const probes = a ?? b
    return probes ? { probes } : {}
  }
  const rttMax = Math.max(a.rttMax, b.rttMax)
  return { probes: { asked: a.asked + b.asked, lost: a.lost + b.lost, rtt: a.rtt + b.rtt, rttMax } }
}
