/** Interface of a WebSocket as the agent uses it; the simulator wraps it with faults. */
export interface HubSocket {
  send(text: string): void
  close(code: number, reason: string): void
  /** Bytes queued and not yet sent. */
  bufferedAmount(): number
}

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** Called once when the socket closed, also if it never opened. 1006: no close frame. */
  closed(code: number, reason: string): void
}

export type OpenSocket = (url: string, headers: Readonly<Record<string, string>>, events: SocketEvents) => HubSocket

export const openWebSocket: OpenSocket = (url, headers, events) => {
  const socket = new WebSocket(url, { headers })
  socket.onopen = () => events.opened()
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') events.message(data)
  }
  socket.onerror = () => {} // a `close` event follows
  socket.onclose = ({ code, reason }) => events.closed(code, reason)
  return {
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
    bufferedAmount: () => socket.bufferedAmount,
  }
}
