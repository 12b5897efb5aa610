/** Interface of a WebSocket as the agent uses it; the simulator wraps it with faults. */
export interface AgentSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code: number, reason: string): void
  /** Bytes queued and not yet sent. */
  bufferedAmount(): number
}

export interface SocketEvents {
  opened(): void
  message(text: string): void
  /** A binary message; without this they are ignored. */
  bytes?(bytes: Uint8Array): void
  /** Called once when the socket closed, also if it never opened. 1006: no close frame. */
  closed(code: number, reason: string): void
}

export type OpenSocket = (url: string, headers: Readonly<Record<string, string>>, events: SocketEvents) => AgentSocket

export const openWebSocket: OpenSocket = (url, headers, events) => {
  const socket = new WebSocket(url, { headers })
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => events.opened()
  socket.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') events.message(data)
    else if (data instanceof ArrayBuffer) events.bytes?.(new Uint8Array(data))
  }
  socket.onerror = () => {} // a `close` event follows
  socket.onclose = ({ code, reason }) => events.closed(code, reason)
  return {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    bufferedAmount: () => socket.bufferedAmount,
  }
}
