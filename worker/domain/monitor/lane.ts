import type { WebhookResult } from '#contract/kernel/outside.ts'
import {
  ALERT,
  ALERT_RETRY,
  BUCKETS,
  type BucketKind,
  type DeliveryState,
  type NoticeKind,
} from '#contract/monitor/alert.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { Delivery } from './delivery.ts'

/* Lane of one recipient: order of notices, rate limit, digests, retries, outages and pauses. */

/** Rate-limit and failure state of one recipient of a channel. */
export interface Lane {
  readonly tokens: number
  readonly filledAt: number
  /** Permanent failures in a row. */
  readonly failures: number
  readonly pausedAt: number | null
  /** Nothing is sent before this time: the other side asked for a pause, or limits messages per second. */
  readonly holdUntil: number
  /** First failed try since the other side last answered; null or absent while it answers. */
  readonly downSince?: number | null
  /** First failure of any kind since the other side last took a message, with its newest words. */
  readonly trouble?: { readonly since: number; readonly words: string } | null
}

export const newLane = (kind: BucketKind, now: number): Lane => ({
  tokens: BUCKETS[kind].size,
  filledAt: now,
  failures: 0,
  pausedAt: null,
  holdUntil: 0,
})

function refill(lane: Lane, kind: BucketKind, now: number): Lane {
  const { size, refillMs } = BUCKETS[kind]
  const added = Math.floor(Math.max(0, now - lane.filledAt) / refillMs)
  const tokens = Math.min(size, lane.tokens + added)
  return { ...lane, tokens, filledAt: tokens === size ? now : lane.filledAt + added * refillMs }
}

const SECOND_MS = 1_000

/** The limit per second counts from the last message, even if earlier answers were slow. */
const withPause = (lane: Lane, kind: BucketKind, now: number): Lane =>
  BUCKETS[kind].perSecond === undefined ? lane : { ...lane, holdUntil: Math.max(lane.holdUntil, now + SECOND_MS) }

/** True after a day without an answer; one message an hour then asks whether the other side is back. */
const isDown = ({ downSince }: Lane, now: number): boolean =>
  typeof downSince === 'number' && now - downSince >= ALERT_RETRY.giveUpMs

/** Order of notices of one alert that were made at the same time. A digest holds only older ones. */
export const NOTICE_RANK: Readonly<Record<NoticeKind, number>> = {
  digest: 0,
  open: 1,
  reminder: 2,
  escalation: 3,
  recovery: 4,
  paused: 5,
}
export const compareAge = (a: Delivery, b: Delivery): number =>
  a.createdAt - b.createdAt || NOTICE_RANK[a.kind] - NOTICE_RANK[b.kind]

const alertsOf = ({ alertId, covers = [] }: Delivery): readonly string[] =>
  alertId === '' ? covers.map((one) => one.alertId) : [alertId]

/** Pending notices that may be sent now, oldest first. A notice waits for all earlier ones of its alert. */
function selectDue(waiting: readonly Delivery[], now: number): readonly Delivery[] {
  const held = new Set<string>()
  return waiting.toSorted(compareAge).filter((one) => {
    const alerts = alertsOf(one)
    if (one.nextAt <= now && !alerts.some((alert) => held.has(alert))) return true
    for (const alert of alerts) held.add(alert)
    return false
  })
}

/** The first notice of each alert. */
function firstOfAlerts(notices: readonly Delivery[]): readonly Delivery[] {
  const seen = new Set<string>()
  return notices.filter((one) => {
    const alerts = alertsOf(one)
    const isFirst = !alerts.some((alert) => seen.has(alert))
    for (const alert of alerts) seen.add(alert)
    return isFirst
  })
}

export interface Plan {
  readonly lane: Lane
  /** Claimed deliveries. They are tried again after `claimMs` if the hub crashes. */
  readonly send: readonly Delivery[]
  /** Deliveries that end without a send. */
  readonly closed: readonly Delivery[]
}

const KEPT_MS = ALERT.keptDays * DAY_MS

/**
 * Plans a lane's sends. New messages beyond its bucket become a digest; retries, which may have arrived, stay unchanged, and
 * later notices of their alerts wait for them. An alert that ended before its first notice is sent as recovered only.
 */
export function planLane(waiting: readonly Delivery[], before: Lane, kind: BucketKind, now: number): Plan {
  const lane = refill(before, kind, now)
  const all = selectDue(waiting, now)
  if (lane.pausedAt !== null)
    return { lane, send: [], closed: all.map((one) => close(one, 'skipped', now, '', '通道已暂停')) }
  const due = all.filter((one) => now - one.createdAt < KEPT_MS)
  const late = all.filter((one) => !due.includes(one)).map((one) => close(one, 'failed', now, one.code, one.words))
  if (lane.tokens < 1 || lane.holdUntil > now || due.length === 0) return { lane, send: [], closed: late }
  const { fresh, tried, over } = sortDue(due)
  const atOnce = isDown(lane, now) ? 1 : Math.min(lane.tokens, BUCKETS[kind].perSecond ?? Infinity)
  const first = firstOfAlerts(fresh)
  const repeats = tried.slice(0, fresh.length > 0 ? Math.max(0, atOnce - 1) : atOnce)
  const left = lane.tokens - repeats.length
  const isDigest = first.length > left && first.length > 1
  const singles = isDigest ? [toDigest(fresh, now)] : first.slice(0, left)
  const send = [...repeats, ...(left > 0 ? singles : [])].slice(0, atOnce)
  const merged = isDigest && left > 0 ? [...over, ...fresh] : over
  return {
    lane: withPause({ ...lane, tokens: lane.tokens - send.length }, kind, now),
    send: send.map((one) => ({ ...one, tries: one.tries + 1, nextAt: now + ALERT_RETRY.claimMs })),
    closed: [...late, ...merged.map((one) => close(one, 'merged', now, '', ''))],
  }
}

const isFresh = ({ tries }: Delivery): boolean => tries === 0

/** `tried` has one notice of an alert, `fresh` none of the same alerts; `over` are beginnings of alerts that have ended. */
function sortDue(due: readonly Delivery[]) {
  const ended = new Set(due.filter((one) => isFresh(one) && one.kind === 'recovery').map(({ alertId }) => alertId))
  const isOver = (one: Delivery) => isFresh(one) && one.kind !== 'recovery' && ended.has(one.alertId)
  const tried = firstOfAlerts(due.filter((one) => !isFresh(one)))
  const held = new Set(tried.flatMap(alertsOf))
  return {
    tried,
    over: due.filter(isOver),
    fresh: due.filter((one) => isFresh(one) && !isOver(one) && !held.has(one.alertId)),
  }
}

function toDigest(fresh: readonly Delivery[], now: number): Delivery {
  const [{ service: _, ...first }] = fresh as readonly [Delivery, ...Delivery[]]
  return {
    ...first,
    id: `${first.id}.digest`,
    alertId: '',
    kind: 'digest',
    title: `${fresh.length}条告警通知`,
    lines: fresh.map(({ title }) => title),
    covers: fresh.map(({ alertId, event, at }) => ({ alertId, event, at })),
    networks: [],
    networkNumber: '',
    routerName: '',
    event: 'alert.digest',
    at: now,
    createdAt: now,
    triedFrom: now,
  }
}

const close = (one: Delivery, state: DeliveryState, now: number, code: string, words: string): Delivery => ({
  ...one,
  state,
  doneAt: now,
  code,
  words,
})

/** Outcome of a try. A retry waits at least `afterMs`. */
export type SendResult =
  | WebhookResult
  /** The recipient may not be written to. This is no failure of the channel. */
  | { readonly kind: 'unsent'; readonly words: string }

interface Settling {
  readonly kind: BucketKind
  readonly now: number
  /** In [0, 1). */
  readonly random: number
}

/** Delivery and lane after a try. `hasPaused`: this failure has paused the channel. */
export function applyResult(one: Delivery, before: Lane, result: SendResult, { kind, now, random }: Settling) {
  const lane = withPause(before, kind, now)
  if (result.kind === 'unsent') return { delivery: close(one, 'unsent', now, '', result.words), lane, hasPaused: false }
  const { code, words } = result
  if (result.kind === 'ok') {
    const answered = { ...lane, failures: 0, downSince: null, trouble: null }
    return { delivery: close(one, 'sent', now, code, words), lane: answered, hasPaused: false }
  }
  const trouble = { since: lane.trouble?.since ?? now, words }
  if (result.kind === 'retry') {
    const down = { ...lane, trouble, downSince: lane.downSince ?? now }
    if (isGivenUp(one, down, now))
      return { delivery: close(one, 'failed', now, code, words), lane: down, hasPaused: false }
    const delivery = { ...one, nextAt: now + Math.max(result.afterMs, retryWait(one, now, random)), code, words }
    const holdMs = isDown(down, now) ? ALERT_RETRY.probeMs : result.afterMs
    return { delivery, lane: { ...down, holdUntil: Math.max(lane.holdUntil, now + holdMs) }, hasPaused: false }
  }
  const failures = lane.failures + 1
  const hasPaused = failures >= ALERT_RETRY.failuresMax && lane.pausedAt === null && one.channel !== 'site'
  return {
    delivery: close(one, 'failed', now, code, words),
    lane: { ...lane, trouble, failures, pausedAt: hasPaused ? now : lane.pausedAt, downSince: null },
    hasPaused,
  }
}

/** Without it, an alert that the other side knows of would stay open there: a digest may hold one, too. */
const isLastWord = ({ kind }: Delivery): boolean => kind === 'recovery' || kind === 'digest'

function isGivenUp(one: Delivery, lane: Lane, now: number): boolean {
  const age = now - one.triedFrom
  if (one.channel === 'site' || age < ALERT_RETRY.giveUpMs) return false
  return !isLastWord(one) || (age >= ALERT_RETRY.lastWordMs && !isDown(lane, now))
}

function retryWait({ tries, triedFrom }: Delivery, now: number, random: number): number {
  if (now - triedFrom >= ALERT_RETRY.giveUpMs) return ALERT_RETRY.probeMs
  return Math.ceil(random * Math.min(ALERT_RETRY.maxMs, ALERT_RETRY.firstMs * 2 ** Math.min(tries, 20)))
}

/** Resend that a person requested; the event id stays. */
export const resend = (one: Delivery, now: number): Delivery => ({
  ...one,
  state: 'pending',
  nextAt: now,
  triedFrom: now,
  doneAt: null,
  tries: Math.max(1, one.tries),
})

/** Time of a lane's next send. `nextAt` is the earliest of the messages that wait for no other. */
export function laneDue(nextAt: number, lane: Lane, kind: BucketKind): number {
  const filled = lane.tokens >= 1 ? 0 : lane.filledAt + BUCKETS[kind].refillMs
  return Math.max(nextAt, filled, lane.pausedAt === null ? lane.holdUntil : 0)
}
