import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { type ProbeSums, type Probes, toProbeSums } from './link-probes.ts'

/* Counters of a device. Those of links are stored beside those of interfaces, and are in no rate, chart or sum of these. */

export interface Volume {
  readonly rx: number
  readonly tx: number
  /** Probes of a link in that time; absent for an interface, and if unknown. */
  readonly probes?: Probes
}

export interface Counter {
  readonly rx: number
  readonly tx: number
  /** Start of a link's counter by the agent's clock; absent for an interface, whose counter starts with the device. */
  readonly beganMs?: number
  /** Sums of the probes of a link, which do not start over with its tunnel; no stored row has them. */
  readonly sums?: ProbeSums
}

/** Counters of the device at one time, by interface or link; the next ones are compared with them. */
export interface Reading {
  readonly bootId: string
  /** The agent's monotonic milliseconds; only differences mean something. */
  readonly atMs: number
  readonly counters: Readonly<Record<string, Counter>>
}

const PREFIX = 'link:'
/** Starts closer together than this are one: a device sends a moment after it has read the age of a tunnel. */
const RESTART_MS = 1_000

/** True for the stored name of a link. Linux has no interface with a colon in its name. */
export const isLinkName = (name: string): boolean => name.startsWith(PREFIX)
export const linkName = (id: string): string => `${PREFIX}${id}`
export const linkIdOf = (name: string): string => name.slice(PREFIX.length)

export const keepNames = <T>(
  byName: Readonly<Record<string, T>>,
  isKept: (name: string) => boolean,
): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(byName).filter(([name]) => isKept(name)))

export const withoutLinks = <T>(byName: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  keepNames(byName, (name) => !isLinkName(name))

export function toReading({ boot_id, at, interfaces, links = {} }: Extract<AgentFrame, { t: 'counters' }>): Reading {
  const ofLinks = Object.entries(links).map(([id, { rx, tx, since_s, ...sent }]) => {
    const sums = toProbeSums(sent)
    return [linkName(id), { rx, tx, beganMs: at - since_s * 1_000, ...(sums && { sums }) }] as const
  })
  return { bootId: boot_id, atMs: at, counters: { ...withoutLinks(interfaces), ...Object.fromEntries(ofLinks) } }
}

/** True if the tunnel of a link came up anew between two counters. */
export const isRestarted = (before: Counter | undefined, { beganMs }: Counter): boolean =>
  before?.beganMs !== undefined && beganMs !== undefined && beganMs > before.beganMs + RESTART_MS

/** The value from which a counter has grown since the last reading; null if that is unknown. */
export function baseOf(last: Reading, name: string, counter: Counter): Counter | null {
  const before = last.counters[name]
  if (before && !isRestarted(before, counter)) return before
  const isNew = counter.beganMs !== undefined && counter.beganMs > last.atMs - RESTART_MS
  return isNew ? { rx: 0, tx: 0 } : null
}
