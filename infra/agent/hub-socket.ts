/** The part of a WebSocket that the agent needs; virtual routers put faults between. */
export interface HubSocket {
  send(text: string): void
  close(code: number, reason: string): void
  /** Bytes not handed to the network yet. */
  bufferedAmount(): number
}

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** Once, whether or not it ever opened. 1006: ended without a close frame. */
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
