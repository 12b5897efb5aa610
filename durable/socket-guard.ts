import type { z } from 'zod'
import { DEVICE_TOKEN, FRAME_MAX_BYTES, SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { SESSION } from '#contract/login/limits.ts'
import type { KvStorage } from './async.ts'

/* Guards of sockets: rate and size of frames, their validation, and single use of tickets and tokens. */

const rates = new WeakMap<WebSocket, { second: number; frames: number }>()

type Tagged = z.ZodDiscriminatedUnion<readonly z.core.$ZodTypeDiscriminable[]>

type Close = (code: number, reason: string) => null

/** Closes the socket and calls back at once. */
export function closing(socket: WebSocket, onClosed: (code: number) => void): Close {
  return (code, reason) => {
    socket.close(code, reason)
    onClosed(code)
    return null
  }
}

/**
 * Text of one frame from outside, not parsed yet. Null if there are too many in this second or it is too long; the socket
 * is then closed.
 */
export function admitFrame(
  socket: WebSocket,
  message: string | ArrayBuffer,
  now: number,
  close: Close = closing(socket, () => {}),
): string | null {
  if (!isWithinRate(socket, now)) return close(CLOSE.tooOften, 'too many frames')
  return typeof message === 'string' && message.length <= FRAME_MAX_BYTES
    ? message
    : close(CLOSE.protocol, 'frame too large')
}

/**
 * Validates an admitted frame. Null: ignored or refused. A frame of an unknown kind is ignored, because the other side may
 * be newer; one that breaks the protocol closes the socket.
 */
export function parseFrame<S extends Tagged>(
  socket: WebSocket,
  text: string,
  schema: S,
  tag: 't' | 'type',
  close: Close = closing(socket, () => {}),
): z.output<S> | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return close(CLOSE.protocol, 'no JSON')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const isKnown = !parsed.error.issues.some(({ path, code }) => code === 'invalid_union' && path[0] === tag)
  const hasTag = typeof value === 'object' && value !== null && typeof Reflect.get(value, tag) === 'string'
  return isKnown || !hasTag ? close(CLOSE.protocol, issueText(parsed.error)) : null
}

/** Counts a frame; false for one too many in this second. */
export function isWithinRate(socket: WebSocket, now: number): boolean {
  const second = Math.floor(now / 1000)
  const known = rates.get(socket)
  const frames = known?.second === second ? known.frames + 1 : 1
  rates.set(socket, { second, frames })
  return frames <= SOCKET_GUARD.framesPerSecond
}

/** A close reason is at most 123 bytes. */
function issueText({ issues }: z.ZodError): string {
  return `bad frame: ${issues[0]?.path.join('.') ?? ''} ${issues[0]?.code ?? ''}`.slice(0, 100)
}

const KEEP_MS = 1000 * Math.max(SESSION.ticketSeconds, DEVICE_TOKEN.seconds + DEVICE_TOKEN.leewaySeconds)

/** Replay cache: true if the id of a ticket or a device token is new. Entries live as long as the token is valid. */
export function rememberNonce({ kv }: KvStorage, id: string, now: number): boolean {
  const used = (kv.get<(readonly [id: string, until: number])[]>('used') ?? []).filter(([, until]) => until > now)
  if (used.some(([known]) => known === id)) return false
  kv.put('used', [...used, [id, now + KEEP_MS]])
  return true
}
