import { CLOSE, PING, type ViewerRequest } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { CONSOLE_SOCKET, STREAM } from '#contract/kernel/hub-limits.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import type { trafficTicket } from '#contract/router/traffic-ticket.ts'

/* State machine of one viewer's live connection, without I/O; sequences in infra/docs/hubs.md. */

/** State of the live channel; on `down` a page greys its states and shows 实时通道已断开 (live channel lost). */
export type LiveState = 'connecting' | 'live' | 'down'

export interface Stream {
  readonly phase: 'paused' | 'ticket' | 'opening' | 'open' | 'waiting' | 'ended'
  /** Set from the first failure until a socket opens again. */
  readonly failed: boolean
  /** Failures in a row without a frame between. */
  readonly attempts: number
  /** End of the wait that a busy service asked for. */
  readonly heldUntil: number
  readonly hasBeenOpen: boolean
  /** Number of the last frame; null before the first. */
  readonly seq: number | null
  /** Frames since the last acknowledgement. */
  readonly unacknowledged: number
  /** A frame was missed: deltas are dropped until the next full state. */
  readonly gap: boolean
  readonly lastReceivedAt: number
  readonly pingedAt: number
}

interface FrameHead {
  readonly code: number
  readonly seq: number
  readonly type: string
}

export type StreamEvent =
  | { readonly type: 'resume'; readonly isEarly?: true } // mounted, or end of the wait; early: tab shown, network back
  | { readonly type: 'pause' } // tab hidden for a while
  | { readonly type: 'ticket' }
  /** No ticket: `forGood` when a retry cannot help, `waitMs` when the server asks for a wait. */
  | { readonly type: 'refused'; readonly forGood: boolean; readonly waitMs?: number }
  | { readonly type: 'opened' }
  | { readonly type: 'frame'; readonly frame: FrameHead }
  | { readonly type: 'pong' }
  | { readonly type: 'tick' }
  | { readonly type: 'closed'; readonly code: number }
  | { readonly type: 'offline' } // the browser lost its network; the socket itself notices a minute later

export type StreamEffect =
  | { readonly type: 'ask-ticket' }
  | { readonly type: 'open' }
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'ask-snapshot' }
  | { readonly type: 'deliver' }
  | { readonly type: 'missed' } // the page must read its data again
  | { readonly type: 'ping' }
  | { readonly type: 'close' }
  | { readonly type: 'wait'; readonly delayMs: number }

interface Step {
  readonly stream: Stream
  readonly effects: readonly StreamEffect[]
}

export const INITIAL: Stream = {
  phase: 'paused',
  failed: false,
  attempts: 0,
  heldUntil: 0,
  hasBeenOpen: false,
  seq: null,
  unacknowledged: 0,
  gap: false,
  lastReceivedAt: 0,
  pingedAt: 0,
}

/** Frames with the whole state: earlier missed frames no longer matter. */
const FULL_STATE_FRAMES: ReadonlySet<string> = new Set(['snapshot', 'history', 'account'])

/** Phases in which an event is handled; in other phases it is late or repeated, and ignored. */
const ACCEPTED_IN: Readonly<Record<StreamEvent['type'], readonly Stream['phase'][]>> = {
  resume: ['paused', 'waiting'],
  pause: ['ticket', 'opening', 'open', 'waiting'],
  ticket: ['ticket'],
  refused: ['ticket'],
  opened: ['opening'],
  frame: ['open'],
  pong: ['open'],
  tick: ['opening', 'open'],
  closed: ['opening', 'open'],
  offline: ['opening', 'open'],
}

export function liveState({ phase, failed }: Stream): LiveState {
  if (phase === 'open') return 'live'
  return failed || phase === 'ended' ? 'down' : 'connecting'
}

/** Doubles with each attempt (1 for the first), with jitter (`random` in 0..1): consoles must not all come back at once. */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ms = Math.min(TRAFFIC.reconnectMs * 2 ** (attempt - 1), TRAFFIC.reconnectMaxMs)
  return ms * (1 + TRAFFIC.reconnectSpread * (2 * random - 1))
}

export function step(stream: Stream, event: StreamEvent, now: number, random: number): Step {
  if (!ACCEPTED_IN[event.type].includes(stream.phase)) return { stream, effects: [] }
  switch (event.type) {
    case 'resume':
      return onResume(stream, event.isEarly === true, now)
    case 'pause':
      return { stream: { ...INITIAL, hasBeenOpen: stream.hasBeenOpen }, effects: [{ type: 'close' }] }
    case 'ticket':
      return { stream: { ...stream, phase: 'opening', lastReceivedAt: now }, effects: [{ type: 'open' }] }
    case 'refused':
      return event.forGood ? end(stream) : retryAfter(stream, now, random, event.waitMs)
    case 'opened':
      return {
        stream: {
          ...INITIAL,
          phase: 'open',
          attempts: stream.attempts,
          hasBeenOpen: true,
          lastReceivedAt: now,
          pingedAt: now,
        },
        effects: stream.hasBeenOpen ? [{ type: 'missed' }] : [],
      }
    case 'frame':
      return onFrame(stream, event.frame, now)
    case 'pong':
      return { stream: { ...stream, lastReceivedAt: now }, effects: [] }
    case 'tick':
      return onTick(stream, now, random)
    case 'closed':
      return event.code === CLOSE.removed ? end(stream) : afterClose(stream, event.code, random)
    case 'offline':
      return giveUp(stream, random)
  }
}

/** A person who looks does not end the wait that a busy service asked for. */
const onResume = (stream: Stream, isEarly: boolean, now: number): Step =>
  isEarly && now < stream.heldUntil
    ? { stream, effects: [] }
    : { stream: { ...stream, phase: 'ticket' }, effects: [{ type: 'ask-ticket' }] }

/** Several frames may share a number: a snapshot carries the number of the hub's newest frame. */
function onFrame(stream: Stream, { code, seq, type }: FrameHead, now: number): Step {
  if (code !== RESULT.ok) return end(stream) // network 4
  const last = stream.seq ?? seq
  if (seq < last) return { stream: { ...stream, lastReceivedAt: now }, effects: [] }
  const isMissing = seq > last + 1
  const gap = !FULL_STATE_FRAMES.has(type) && (stream.gap || isMissing)
  const unacknowledged = stream.unacknowledged + 1
  const answers = type !== 'interface' || unacknowledged >= STREAM.ackFrames
  const effects: StreamEffect[] = answers ? [{ type: 'ack', seq }] : []
  if (gap && !stream.gap) effects.push({ type: 'ask-snapshot' }, { type: 'missed' })
  if (!gap || type !== 'delta') effects.push({ type: 'deliver' })
  const received = { seq, unacknowledged: answers ? 0 : unacknowledged, gap, lastReceivedAt: now, attempts: 0 }
  return { stream: { ...stream, ...received }, effects }
}

/** Watchdog for half-open sockets and for a handshake that hangs. */
function onTick(stream: Stream, now: number, random: number): Step {
  if (now - stream.lastReceivedAt > CONSOLE_SOCKET.receiveTimeoutMs) return giveUp(stream, random)
  if (stream.phase === 'opening' || now - stream.pingedAt < CONSOLE_SOCKET.pingMs) return { stream, effects: [] }
  return { stream: { ...stream, pingedAt: now }, effects: [{ type: 'ping' }] }
}

function retry(stream: Stream, random: number, leastMs = 0): Step {
  const attempts = stream.attempts + 1
  return {
    stream: { ...stream, phase: 'waiting', failed: true, attempts },
    effects: [{ type: 'wait', delayMs: Math.max(reconnectDelayMs(attempts, random), leastMs) }],
  }
}

const retryAfter = (stream: Stream, now: number, random: number, waitMs = 0): Step =>
  retry({ ...stream, heldUntil: now + waitMs }, random, waitMs)

/** A session ended or its rights changed: the first retry asks for a ticket at once, later ones after the usual delays. */
function afterClose(stream: Stream, code: number, random: number): Step {
  if (code !== CLOSE.sessionEnded || stream.attempts > 0) return retry(stream, random)
  return { stream: { ...stream, phase: 'ticket', failed: true, attempts: 1 }, effects: [{ type: 'ask-ticket' }] }
}

/** Closes a socket that is presumed dead, and retries. */
function giveUp(stream: Stream, random: number): Step {
  const { stream: next, effects } = retry(stream, random)
  return { stream: next, effects: [{ type: 'close' }, ...effects] }
}

function end(stream: Stream): Step {
  return { stream: { ...stream, phase: 'ended' }, effects: [{ type: 'close' }] }
}

// Addresses and messages of all live sockets, shared by the browser and the crash test of the bench.

export type LiveTarget = Input<typeof trafficTicket>

export const TICK_MS = 5_000
const PATH = { router: 'router/traffic', network: 'network/live', account: 'account/live' } as const

export function liveAddress(origin: string, { kind, ...names }: LiveTarget, ticket: string): string {
  const query = new URLSearchParams({ ...names, ticket })
  return new URL(`/api/v1/${PATH[kind]}?${query}`, origin.replace('http', 'ws')).href
}

export function toMessage(effect: StreamEffect): string | null {
  const toText = (request: ViewerRequest) => JSON.stringify(request)
  switch (effect.type) {
    case 'ack':
      return toText({ type: 'ack', seq: effect.seq })
    case 'ask-snapshot':
      return toText({ type: 'snapshot' })
    case 'ping':
      return PING
    default:
      return null
  }
}
