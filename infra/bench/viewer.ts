import { WebSocket } from 'ws'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import { routerApi } from '#contract/router/index.ts'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { type LiveTarget, liveAddress } from '#lib/live/live-socket.ts'
import { callEndpoint } from '#infra/local/api.ts'

/** Called with each message, and with its frame where it is not a pong. */
export type Receive = (text: string, frame: ViewerFrame | null) => void

/** A live socket that acknowledges frames as a console does: of traffic every third one, of others each. */
export async function openViewer(
  origin: string,
  token: string,
  target: LiveTarget,
  receive: Receive,
  send: (socket: WebSocket, text: string) => void = (socket, text) => socket.send(text),
): Promise<WebSocket> {
  const { ticket } = await callEndpoint(origin, '/api/v1', routerApi.trafficTicket, target, token)
  const socket = new WebSocket(liveAddress(origin, target, ticket), { origin })
  let unacknowledged = 0
  socket.on('message', (data) => {
    const text = String(data)
    const frame = text.startsWith('{') ? (JSON.parse(text) as ViewerFrame) : null
    receive(text, frame)
    if (frame === null) return
    unacknowledged += 1
    if (frame.type === 'interface' && unacknowledged < STREAM.ackFrames) return
    unacknowledged = 0
    send(socket, JSON.stringify({ type: 'ack', seq: frame.seq }))
  })
  return opened(socket)
}

export const opened = (socket: WebSocket): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
