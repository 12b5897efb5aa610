import type { WebSocket } from 'ws'
import { CONSOLE_SOCKET, LINK_RATES } from '#contract/kernel/hub-limits.ts'
import { PING, PONG, type ViewerRequest } from '#contract/kernel/protocol.ts'
import type { LiveTarget } from '#lib/live/live-stream.ts'
import { openViewer } from '../live-clients.ts'
import type { VirtualClock } from './virtual-clock.ts'

/* A console's live socket that pings and acknowledges by the clock of the bench, and names whose throughput it shows. */

/** Opens the socket; the result closes it. */
export async function openVirtualViewer(
  origin: string,
  clock: VirtualClock,
  token: string,
  target: LiveTarget,
  shown: { readonly members: readonly string[]; readonly rates: readonly string[] } | null = null,
): Promise<() => Promise<void>> {
  const receive = (text: string) => {
    if (text === PONG) clock.notePong()
  }
  let isOpen = true
  const sendBy = (own: WebSocket, text: string) => isOpen && clock.send(() => own.send(text), text === PING)
  const socket = await clock.answerOf(openViewer(origin, token, target, receive, sendBy))
  const send = (text: string) => sendBy(socket, text)
  const request = (of: ViewerRequest) => send(JSON.stringify(of))
  const timers = [clock.every(CONSOLE_SOCKET.pingMs, () => send(PING))]
  if (shown !== null) {
    request({ type: 'visible', members: [...shown.members] })
    const watch = () => request({ type: 'rates', ids: [...shown.rates] })
    watch()
    timers.push(clock.every(LINK_RATES.renewMs, watch))
  }
  return async () => {
    for (const cancel of timers) cancel()
    isOpen = false
    await clock.advance(0) // the hub counts the messages that were sent
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.close()
    await closed
    clock.noteClosed()
  }
}
