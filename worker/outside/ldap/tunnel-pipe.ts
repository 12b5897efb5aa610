import { TUNNEL, type TunnelControl, type TunnelFailure, parseTunnelControl } from '#contract/kernel/tunnel-frames.ts'
import { Credit } from '#domain/ldap/credit.ts'
import { withDeadline } from './deadline.ts'
import { type DirectoryFailure, DirectoryError, failDirectory } from '#outside/tls/failure.ts'
import type { Pipe } from '#outside/tls/pipe.ts'

/* Tunnel through a router to a directory, as a pipe: the end at the hub. */

export type TunnelSocket = Pick<WebSocket, 'addEventListener' | 'send' | 'close'>

const FAILURE: Readonly<Record<TunnelFailure, DirectoryFailure>> = {
  not_allowed: 'router_refused',
  busy: 'router_busy',
  name_unknown: 'name_unknown',
  refused: 'refused',
  timeout: 'timeout',
  unreachable: 'unreachable',
}

/** Waits until the device has reached the directory, and returns the hub's end of the tunnel. */
export async function openTunnelPipe(socket: TunnelSocket, ms: number): Promise<Pipe> {
  const pipe = new TunnelPipe(socket)
  await withDeadline(ms, pipe.opened, () => pipe.close())
  return pipe
}

/** Pipe for one reader and one writer at a time, as TLS and LDAP use it. */
class TunnelPipe implements Pipe {
  /** Settles with the first frame of the device. */
  readonly opened: Promise<void>
  private readonly socket: TunnelSocket
  private readonly credit = new Credit(TUNNEL)
  private readonly chunks: Uint8Array[] = []
  private isEnded = false
  /** Resumes a read that waits for bytes, or a write that waits for credit. */
  private wake: () => void = () => {}
  private moved = this.nextMove()
  private resolveOpened: (failure: DirectoryFailure | null) => void = () => {}

  constructor(socket: TunnelSocket) {
    this.socket = socket
    this.opened = new Promise((resolve, reject) => {
      this.resolveOpened = (failure) => (failure === null ? resolve() : reject(new DirectoryError(failure)))
    })
    this.opened.catch(() => {}) // the deadline may have passed
    socket.addEventListener('message', ({ data }) => this.onMessage(data))
    socket.addEventListener('close', () => this.onEnd())
    socket.addEventListener('error', () => this.onEnd())
  }

  async read(): Promise<Uint8Array | null> {
    while (this.chunks.length === 0 && !this.isEnded) await this.moved
    const chunk = this.chunks.shift() ?? null
    const due = chunk === null ? 0 : this.credit.consume(chunk.byteLength)
    if (due > 0) this.send(JSON.stringify({ t: 'credit', bytes: due } satisfies TunnelControl))
    return chunk
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.byteLength;) {
      const size = this.credit.sendable(Math.min(bytes.byteLength - from, TUNNEL.frameBytes))
      if (this.isEnded) return failDirectory('closed')
      if (size === 0) await this.moved
      else {
        this.send(bytes.slice(from, from + size)) // a copy: a view would send its whole buffer
        this.credit.sent(size)
        from += size
      }
    }
  }

  close(): void {
    this.onEnd()
    try {
      this.socket.close(1000, 'done')
    } catch {
      // closed already
    }
  }

  private onMessage(data: unknown): void {
    const isKept = typeof data === 'string' ? this.onControl(parseTunnelControl(data)) : this.onBytes(data)
    if (!isKept) this.close()
    this.move()
  }

  /** Handles a control frame; false if the device breaks the protocol. */
  private onControl(control: TunnelControl | null): boolean {
    if (control === null) return false
    if (control.t === 'credit') return this.credit.credited(control.bytes)
    this.resolveOpened(control.t === 'failed' ? FAILURE[control.reason] : null)
    return control.t === 'opened'
  }

  private onBytes(data: unknown): boolean {
    if (!(data instanceof ArrayBuffer) || data.byteLength > TUNNEL.frameBytes) return false
    if (data.byteLength > 0) this.chunks.push(new Uint8Array(data))
    return this.credit.receive(data.byteLength)
  }

  private onEnd(): void {
    this.isEnded = true
    this.resolveOpened('closed')
    this.move()
  }

  private send(data: string | Uint8Array): void {
    try {
      this.socket.send(data)
    } catch {
      this.onEnd()
    }
  }

  private move(): void {
    this.wake()
    this.moved = this.nextMove()
  }

  private nextMove(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve))
  }
}
