import { OUTBOX } from '../../worker/contract/limits.ts'

export interface ConnectionLog {
  readonly epoch: number
  readonly online: 0 | 1
  readonly remoteHost: string
  readonly remotePort: number
  readonly version: string
  readonly reason: string
  readonly at: number
}

/**
 * What the hub still owes: stored together with the change itself, so that a change that was seen is never lost. Each
 * delivery carries the whole present state, so that only the newest has to arrive; log lines are kept one by one.
 */
export interface Outbox {
  /** Grows with each change. A target is even when its number is equal. */
  readonly change: number
  readonly stored: number
  readonly told: number
  readonly logs: readonly ConnectionLog[]
  /** The address peers dial has moved: their documents have to be compiled again. */
  readonly endpointMoved: boolean
  readonly failures: number
  /** When to pay; null: at once. */
  readonly payAt: number | null
}

export const nothingOwed: Outbox = {
  change: 0,
  stored: 0,
  told: 0,
  logs: [],
  endpointMoved: false,
  failures: 0,
  payAt: null,
}

/** A device that flaps while the database is away must not fill the hub. */
const LOGS_MAX = 500

interface Debt {
  readonly logs?: readonly ConnectionLog[]
  /** It can wait until then; a debt that cannot takes it along. */
  readonly payAt?: number
  readonly endpointMoved?: boolean
  /** For the database only: other hubs would learn nothing new. */
  readonly isQuiet?: boolean
}

export function owe(o: Outbox, { logs = [], payAt, endpointMoved = false, isQuiet = false }: Debt): Outbox {
  const change = o.change + 1
  return {
    ...o,
    change,
    told: isQuiet && o.told === o.change ? change : o.told,
    logs: [...o.logs, ...logs].slice(-LOGS_MAX),
    endpointMoved: o.endpointMoved || endpointMoved,
    payAt: payAt === undefined ? null : (o.payAt ?? payAt),
  }
}

/** Stored as it stood at `sent`; what came after stays owed. */
export function stored(o: Outbox, sent: Outbox): Outbox {
  const delivered = new Set(sent.logs)
  return calm({
    ...o,
    stored: Math.max(o.stored, sent.change),
    logs: o.logs.filter((entry) => !delivered.has(entry)),
    endpointMoved: o.change === sent.change ? false : o.endpointMoved,
  })
}

export const told = (o: Outbox, sent: Outbox): Outbox => calm({ ...o, told: Math.max(o.told, sent.change) })

/** The longer it fails, the rarer it is tried. `random` in [0, 1) spreads the tries of many hubs. */
export function failed(o: Outbox, now: number, random: number): Outbox {
  const wait = Math.min(OUTBOX.firstRetryMs * 2 ** o.failures, OUTBOX.maxRetryMs)
  return { ...o, failures: o.failures + 1, payAt: now + wait / 2 + (wait / 2) * random }
}

export const isOwing = (o: Outbox): boolean => o.stored < o.change || o.told < o.change

export const isDue = (o: Outbox, now: number): boolean => isOwing(o) && (o.payAt ?? 0) <= now

const calm = (o: Outbox): Outbox => (isOwing(o) ? o : { ...o, failures: 0, payAt: null })
