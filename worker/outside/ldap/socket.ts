import { withDeadline } from './deadline.ts'
import { failDirectory } from '#outside/tls/failure.ts'
import type { Pipe } from '#outside/tls/pipe.ts'

/* TCP sockets to directories, as pipes. */

/** Subset of the Socket of `cloudflare:sockets` that this client uses. */
export interface TcpSocket {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  readonly opened: Promise<unknown>
  readonly closed: Promise<unknown>
  close(): Promise<void>
}

/** `connect` of `cloudflare:sockets`. On the platform it refuses private addresses. */
export type TcpConnect = (
  address: { readonly hostname: string; readonly port: number },
  options: { readonly secureTransport: 'off'; readonly allowHalfOpen: false },
) => TcpSocket

/** Buffer of a read; a default reader gets only 4 KiB at a time. */
const READ_BYTES = 65_536

/** Opens a TCP connection. The runtime does not tell why one fails: name, refusal or firewall. */
export async function dialSocket(connect: TcpConnect, hostname: string, port: number, ms: number): Promise<Pipe> {
  let socket: TcpSocket | undefined
  const end = () => void socket?.close().catch(() => {})
  try {
    socket = connect({ hostname, port }, { secureTransport: 'off', allowHalfOpen: false })
    socket.closed.catch(() => {}) // read and write report the failure
    await withDeadline(ms, socket.opened, end)
  } catch {
    end()
    return failDirectory('unreachable')
  }
  return toPipe(socket)
}

function toPipe(socket: TcpSocket): Pipe {
  const reader = socket.readable.getReader({ mode: 'byob' })
  const writer = socket.writable.getWriter()
  reader.closed.catch(() => {})
  writer.closed.catch(() => {})
  return {
    async read() {
      const { value, done } = await reader.read(new Uint8Array(READ_BYTES))
      return done ? null : value
    },
    write: (bytes) => writer.write(bytes),
    close() {
      reader.cancel().catch(() => {})
      writer.close().catch(() => {})
      socket.close().catch(() => {})
    },
  }
}
