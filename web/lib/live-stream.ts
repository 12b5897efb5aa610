import { CLOSE } from '../../worker/contract/protocol.ts'
import { RESULT } from '../../worker/contract/errors.ts'
import { CONSOLE_SOCKET, STREAM, TRAFFIC } from '../../worker/contract/limits.ts'

/** What a page may say about its own channel: grey states and 实时通道已断开 unless it is `live`. */
export type LiveState = 'connecting' | 'live' | 'down'

export interface Stream {
  readonly phase: 'paused' | 'ticket' | 'opening' | 'open' | 'waiting' | 'ended'
  /** Set from the first failure until a socket opens again. */
  readonly failed: boolean
  readonly hasBeenOpen: boolean
  /** Of the last frame; null before the first. */
  readonly seq: number | null
  /** Frames since the last acknowledgement. */
  readonly unanswered: number
  /** A frame was missed: deltas mean nothing until the whole state comes again. */
  readonly gap: boolean
  readonly heardAt: number
  readonly pingedAt: number
}

interface FrameHead {
  readonly code: number
  readonly seq: number
  readonly type: string
}

export type StreamEvent =
  | { readonly type: 'resume' } // mounted, tab shown, network back
  | { readonly type: 'pause' } // tab hidden for a while
  | { readonly type: 'ticket' }
  | { readonly type: 'refused'; readonly forGood: boolean } // no ticket; for good when asking again cannot help
  | { readonly type: 'opened' }
  | { readonly type: 'frame'; readonly frame: FrameHead }
  | { readonly type: 'pong' }
  | { readonly type: 'tick' }
  | { readonly type: 'closed'; readonly code: number }
  | { readonly type: 'offline' } // the browser has no network; the socket would notice after a minute

export type StreamEffect =
  | { readonly type: 'ask-ticket' }
  | { readonly type: 'open' }
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'ask-snapshot' }
  | { readonly type: 'deliver' }
  | { readonly type: 'missed' } // what is shown may be old: read it again
  | { readonly type: 'ping' }
  | { readonly type: 'close' }
  | { readonly type: 'wait'; readonly delayMs: number }

interface Step {
  readonly stream: Stream
  readonly effects: readonly StreamEffect[]
}

export const FRESH: Stream = {
  phase: 'paused',
  failed: false,
  hasBeenOpen: false,
  seq: null,
  unanswered: 0,
  gap: false,
  heardAt: 0,
  pingedAt: 0,
}

/** Frames that make good whatever was missed before them. */
const WHOLE: ReadonlySet<string> = new Set(['snapshot', 'history', 'account'])

/** Events count in these phases only; a late answer or a second close means nothing. */
const HEEDED: Readonly<Record<StreamEvent['type'], readonly Stream['phase'][]>> = {
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

/** `random` in 0..1 spreads reconnects, so a fleet of consoles does not come back in one instant. */
export function reconnectDelayMs(random: number): number {
  return TRAFFIC.reconnectMs * (1 + TRAFFIC.reconnectSpread * (2 * random - 1))
}

/** One viewer's connection; sequences in infra/docs/hubs.md. */
export function step(stream: Stream, event: StreamEvent, now: number, random: number): Step {
  if (!HEEDED[event.type].includes(stream.phase)) return { stream, effects: [] }
  switch (event.type) {
    case 'resume':
      return { stream: { ...stream, phase: 'ticket' }, effects: [{ type: 'ask-ticket' }] }
    case 'pause':
      return { stream: { ...FRESH, hasBeenOpen: stream.hasBeenOpen }, effects: [{ type: 'close' }] }
    case 'ticket':
      return { stream: { ...stream, phase: 'opening', heardAt: now }, effects: [{ type: 'open' }] }
    case 'refused':
      return event.forGood ? end(stream) : retry(stream, random)
    case 'opened':
      return {
        stream: { ...FRESH, phase: 'open', hasBeenOpen: true, heardAt: now, pingedAt: now },
        effects: stream.hasBeenOpen ? [{ type: 'missed' }] : [],
      }
    case 'frame':
      return onFrame(stream, event.frame, now)
    case 'pong':
      return { stream: { ...stream, heardAt: now }, effects: [] }
    case 'tick':
      return onTick(stream, now, random)
    case 'closed':
      return event.code === CLOSE.removed ? end(stream) : retry(stream, random)
    case 'offline':
      return giveUp(stream, random)
  }
}

/** Several frames may carry one number: a hub tells its whole state under the number of its newest frame. */
function onFrame(stream: Stream, { code, seq, type }: FrameHead, now: number): Step {
  if (code !== RESULT.ok) return end(stream) // network 4
  const last = stream.seq ?? seq
  if (seq < last) return { stream: { ...stream, heardAt: now }, effects: [] }
  const isMissing = seq > last + 1
  const gap = !WHOLE.has(type) && (stream.gap || isMissing)
  const unanswered = stream.unanswered + 1
  const answers = type !== 'interface' || unanswered >= STREAM.ackFrames
  const effects: StreamEffect[] = answers ? [{ type: 'ack', seq }] : []
  if (gap && !stream.gap) effects.push({ type: 'ask-snapshot' }, { type: 'missed' })
  if (!gap || type !== 'delta') effects.push({ type: 'deliver' })
  return { stream: { ...stream, seq, unanswered: answers ? 0 : unanswered, gap, heardAt: now }, effects }
}

/** A socket may look open for hours after the other side is gone; and one may hang while it opens. */
function onTick(stream: Stream, now: number, random: number): Step {
  if (now - stream.heardAt > CONSOLE_SOCKET.deafMs) return giveUp(stream, random)
  if (stream.phase === 'opening' || now - stream.pingedAt < CONSOLE_SOCKET.pingMs) return { stream, effects: [] }
  return { stream: { ...stream, pingedAt: now }, effects: [{ type: 'ping' }] }
}

function retry(stream: Stream, random: number): Step {
  return {
    stream: { ...stream, phase: 'waiting', failed: true },
    effects: [{ type: 'wait', delayMs: reconnectDelayMs(random) }],
  }
}

/** The socket says nothing of it, but nothing more will come. */
function giveUp(stream: Stream, random: number): Step {
  const { stream: next, effects } = retry(stream, random)
  return { stream: next, effects: [{ type: 'close' }, ...effects] }
}

function end(stream: Stream): Step {
  return { stream: { ...stream, phase: 'ended' }, effects: [{ type: 'close' }] }
}
