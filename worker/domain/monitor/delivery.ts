import {
  ALERT_RETRY,
  type AlertChannel,
  BUCKETS,
  type BucketKind,
  type DeliveryState,
  type NoticeKind,
  isOfRouter,
} from '#contract/monitor/alert.ts'
import type { WebhookResult } from '#contract/kernel/outside.ts'
import { type Alert, MANY, type Notice } from './state.ts'
import { noticeLines, noticeTitle } from './text.ts'

/* Deliveries of alert notices: rate limit of each recipient, quiet hours, retries and digests. */

/** One message to one recipient on one channel; its id is the event id of all its tries. */
export interface Delivery {
  readonly id: string
  readonly alertId: string
  readonly kind: NoticeKind
  readonly channel: AlertChannel
  /** Mail address; '' for other channels. */
  readonly target: string
  readonly title: string
  readonly lines: readonly string[]
  /** Networks of the object. A limited role sees it if it covers one of them. */
  readonly networks: readonly string[]
  readonly networkNumber: string
  readonly routerName: string
  /** 'router.offline', and when it happened. */
  readonly event: string
  readonly at: number
  readonly state: DeliveryState
  readonly tries: number
  readonly nextAt: number
  readonly createdAt: number
  /** Start of the retry period: the first planned send, or the latest resend that a person requested. */
  readonly triedFrom: number
  readonly doneAt: number | null
  /** Code and words of the other side's answer. */
  readonly code: string
  readonly words: string
}

export const laneOf = ({ channel, target }: Pick<Delivery, 'channel' | 'target'>): string =>
  target === '' ? channel : `${channel} ${target}`

/** Rate-limit and failure state of one recipient of a channel. */
export interface Lane {
  readonly tokens: number
  readonly filledAt: number
  /** Permanent failures in a row. */
  readonly failures: number
  readonly pausedAt: number | null
  /** Nothing is sent before this time: the other side asked for a pause, or limits messages per second. */
  readonly holdUntil: number
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

export interface Plan {
  readonly lane: Lane
  /** Claimed deliveries. They are tried again after `claimMs` if the hub crashes. */
  readonly send: readonly Delivery[]
  /** Deliveries that end without a send. */
  readonly closed: readonly Delivery[]
}

/**
 * Plans a lane's sends. New messages beyond its bucket become a digest; retries, which may have arrived, stay unchanged.
 * An alert that ended before its first notice is sent as recovered only.
 */
export function planLane(waiting: readonly Delivery[], before: Lane, kind: BucketKind, now: number): Plan {
  const lane = refill(before, kind, now)
  const due = waiting.filter((one) => one.nextAt <= now).toSorted((a, b) => a.createdAt - b.createdAt)
  if (lane.pausedAt !== null)
    return { lane, send: [], closed: due.map((one) => close(one, 'skipped', now, '', '通道已暂停')) }
  if (lane.tokens < 1 || lane.holdUntil > now || due.length === 0) return { lane, send: [], closed: [] }
  const recovered = new Set(due.filter((one) => isFresh(one) && one.kind === 'recovery').map(({ alertId }) => alertId))
  const isOverByNow = (one: Delivery) => isFresh(one) && one.kind !== 'recovery' && recovered.has(one.alertId)
  const old = due.filter(isOverByNow)
  const fresh = due.filter((one) => isFresh(one) && !isOverByNow(one))
  const atOnce = Math.min(lane.tokens, BUCKETS[kind].perSecond ?? Infinity)
  const repeats = due.filter((one) => !isFresh(one)).slice(0, fresh.length > 0 ? Math.max(0, atOnce - 1) : atOnce)
  const left = lane.tokens - repeats.length
  const isDigest = fresh.length > left && fresh.length > 1
  const first = isDigest ? [toDigest(fresh, now)] : fresh.slice(0, left)
  const send = [...repeats, ...(left > 0 ? first : [])].slice(0, atOnce)
  const merged = isDigest && left > 0 ? [...old, ...fresh] : old
  return {
    lane: withPause({ ...lane, tokens: lane.tokens - send.length }, kind, now),
    send: send.map((one) => ({ ...one, tries: one.tries + 1, nextAt: now + ALERT_RETRY.claimMs })),
    closed: merged.map((one) => close(one, 'merged', now, '', '')),
  }
}

const isFresh = ({ tries }: Delivery): boolean => tries === 0

function toDigest(fresh: readonly Delivery[], now: number): Delivery {
  const [first] = fresh as readonly [Delivery, ...Delivery[]]
  return {
    ...first,
    id: `${first.id}.digest`,
    alertId: '',
    kind: 'digest',
    title: `${fresh.length}条告警通知`,
    lines: fresh.map(({ title }) => title),
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
  if (result.kind === 'ok')
    return { delivery: close(one, 'sent', now, code, words), lane: { ...lane, failures: 0 }, hasPaused: false }
  const isGivenUp = one.channel !== 'site' && now - one.triedFrom >= ALERT_RETRY.giveUpMs
  if (result.kind === 'retry' && !isGivenUp) {
    const wait = random * Math.min(ALERT_RETRY.maxMs, ALERT_RETRY.firstMs * 2 ** Math.min(one.tries, 20))
    const delivery = { ...one, nextAt: now + Math.max(result.afterMs, Math.ceil(wait)), code, words }
    const holdUntil = Math.max(lane.holdUntil, now + result.afterMs)
    return { delivery, lane: { ...lane, holdUntil }, hasPaused: false }
  }
  const failures = result.kind === 'permanent' ? lane.failures + 1 : lane.failures
  const hasPaused = failures >= ALERT_RETRY.failuresMax && lane.pausedAt === null && one.channel !== 'site'
  return {
    delivery: close(one, 'failed', now, code, words),
    lane: { ...lane, failures, pausedAt: hasPaused ? now : lane.pausedAt },
    hasPaused,
  }
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

/** Time of a lane's next send. `nextAt` is the earliest of the waiting messages. */
export function laneDue(nextAt: number, lane: Lane, kind: BucketKind): number {
  const filled = lane.tokens >= 1 ? 0 : lane.filledAt + BUCKETS[kind].refillMs
  return Math.max(nextAt, filled, lane.pausedAt === null ? lane.holdUntil : 0)
}

interface Recipients {
  readonly mails: readonly MailRecipient[]
  /** Further recipients of alerts that nobody acknowledges. */
  readonly escalation: readonly MailRecipient[]
  readonly hasWebhook: boolean
}
export interface MailRecipient {
  readonly address: string
  /** Reason to send nothing: notices are recorded as unsent. '' when sending is allowed. */
  readonly unsent: string
}

interface Context {
  readonly accountId: number
  readonly recipients: Recipients
  /** End of the quiet hours; critical (严重) alerts ignore them. */
  readonly quietUntil: number | null
  readonly now: number
  readonly timeText: (at: number) => string
}

export function expandNotice(
  notice: Notice,
  { accountId, recipients, quietUntil, now, timeText }: Context,
): readonly Delivery[] {
  const { kind, alert, at } = notice
  const nextAt = alert.severity === 'critical' ? now : (quietUntil ?? now)
  const create = (channel: AlertChannel, target: string): Delivery => ({
    id: [accountId, alert.id, kind, at.toString(36), channel, ...(target === '' ? [] : [target])].join('.'),
    alertId: alert.id,
    kind,
    channel,
    target,
    title: noticeTitle(notice),
    lines: noticeLines(notice, timeText),
    networks: alert.networks,
    ...objectOf(alert),
    event: `${alert.rule.replace('_', '.')}${kind === 'recovery' ? '.recovered' : ''}`,
    at: kind === 'recovery' ? (alert.endedAt ?? at) : alert.startedAt,
    state: 'pending',
    tries: 0,
    nextAt: channel === 'site' ? now : nextAt,
    createdAt: now,
    triedFrom: nextAt,
    doneAt: null,
    code: '',
    words: '',
  })
  const isOnSite =
    (kind === 'open' && !isWrittenElsewhere(alert)) || (kind === 'recovery' && alert.rule !== 'service_expired')
  const mails = kind === 'escalation' ? recipients.escalation : recipients.mails
  const toMail = ({ address, unsent: words }: MailRecipient): Delivery => {
    const mail = create('mail', address)
    return words === '' ? mail : { ...mail, state: 'unsent', doneAt: now, words }
  }
  return [
    ...(isOnSite ? [create('site', '')] : []),
    ...[...new Map(mails.map((mail) => [mail.address, mail])).values()].map(toMail),
    ...(recipients.hasWebhook && kind !== 'escalation' ? [create('webhook', '')] : []),
  ]
}

/** The cron writes the site message of an ending service, and the directory's hub its own message. */
const isWrittenElsewhere = ({ rule }: Alert): boolean => rule === 'service_expired' || rule === 'directory_sync'

/** Object named by a message; roles limited to networks are filtered by it. */
function objectOf({ rule, object, networks }: Alert): Pick<Delivery, 'networkNumber' | 'routerName'> {
  if (rule === 'pop_connect') return { networkNumber: networks[0] ?? '', routerName: '' }
  return { networkNumber: '', routerName: object === MANY || !isOfRouter(rule) ? '' : object }
}
