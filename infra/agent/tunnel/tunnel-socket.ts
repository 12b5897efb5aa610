/* The device's end of a tunnel: a WebSocket to the service. */

/** Events of the socket; `closed` comes once, even if the socket never opened. */
export interface TunnelEvents {
  opened(): void
  text(text: string): void
  bytes(bytes: Uint8Array): void
  closed(): void
}

export interface TunnelSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(): void
}

export type OpenTunnelSocket = (
  url: string,
  headers: Readonly<Record<string, string>>,
  events: TunnelEvents,
) => TunnelSocket

export const openTunnelSocket: OpenTunnelSocket = (url, headers, events) => {
  const socket = new WebSocket(url, { headers })
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => events.opened()
  socket.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') events.text(data)
    else if (data instanceof ArrayBuffer) events.bytes(new Uint8Array(data))
  }
  socket.onerror = () => {} // a `close` event follows
  socket.onclose = () => events.closed()
  return { send: (data) => socket.send(data), close: () => socket.close(1000) }
}
