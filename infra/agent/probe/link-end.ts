import { randomBytes } from 'node:crypto'
import { KIND, type Kind, NONCE_BYTES, type Packet } from './packet.ts'

const NONE = Buffer.alloc(NONCE_BYTES)

/** State of one end of a probed link: a challenge-response by nonces. Times are of the monotonic clock, in ms. */
export interface EndState {
  /** Client: nonce of the pending request. Server: the nonce whose echo is expected. Null: none. */
  readonly due: Buffer | null
  /** Last nonce of the other end. */
  readonly peer: Buffer
  readonly askedAt: number
  readonly aliveAt: number | null
  readonly rttMs: number | null
  /** Immediate repeats since the last regular request; at most EXTRA_MAX after stale answers. */
  readonly extra: number
}

export const INITIAL_END: EndState = { due: null, peer: NONE, askedAt: 0, aliveAt: null, rttMs: null, extra: 0 }
const EXTRA_MAX = 2

type Message = Pick<Packet, 'nonce' | 'echo'>

/** A regular request of the client end. */
export function ask(state: EndState, now: number): { state: EndState; packet: Message } {
  const nonce = randomBytes(NONCE_BYTES)
  return { state: { ...state, due: nonce, askedAt: now, extra: 0 }, packet: { nonce, echo: state.peer } }
}

/**
 * The server end receives a request with a valid MAC. Only the echo of the current nonce proves that it is fresh;
 * a replayed one is answered, but changes no state.
 */
export function onAsk(state: EndState, asked: Message, now: number): { state: EndState; kind: Kind; packet: Message } {
  const isFresh = state.due !== null && asked.echo.equals(state.due)
  const due = isFresh || state.due === null ? randomBytes(NONCE_BYTES) : state.due
  return {
    state: { ...state, due, aliveAt: isFresh ? now : state.aliveAt },
    kind: isFresh ? KIND.accepted : KIND.stale,
    packet: { nonce: due, echo: asked.nonce },
  }
}

/** The client end receives an answer with a valid MAC; `again` is a packet to send at once. */
export function onAnswer(
  state: EndState,
  answer: Message & { kind: Kind },
  now: number,
): { state: EndState; again: Message | null } {
  if (state.due === null || !answer.echo.equals(state.due)) return { state, again: null } // late, or recorded
  const received = { ...state, due: null, peer: answer.nonce, aliveAt: now, rttMs: now - state.askedAt }
  if (answer.kind !== KIND.stale || state.extra >= EXTRA_MAX) return { state: received, again: null }
  const next = ask(received, now)
  return { state: { ...next.state, extra: state.extra + 1 }, again: next.packet }
}

/** Up within `receiveTimeoutMs` of the last proof; down after that; null while it is too early to tell. */
export function verdict({ aliveAt }: EndState, since: number, now: number, receiveTimeoutMs: number): boolean | null {
  if (aliveAt !== null) return now - aliveAt < receiveTimeoutMs
  return now - since < receiveTimeoutMs ? null : false
}
