import type { Socket } from 'node:net'
import { TUNNEL, type TunnelControl, type TunnelFailure, parseTunnelControl } from '#contract/kernel/tunnel-frames.ts'
import { Credit } from '#domain/ldap/credit.ts'
import type { AgentSocket, SocketEvents } from '../agent-socket.ts'
import type { Clock } from '../clock.ts'
import { DialError } from './dial-directory.ts'

/* One tunnel of a device: a stream of bytes between a directory and the service. */

type TunnelSocket = Pick<AgentSocket, 'send' | 'close'>

interface TunnelPorts {
  readonly clock: Clock
  /** Resolves with the directory's connection, or rejects with a DialError. */
  readonly directory: Promise<Socket>
  readonly openSocket: (events: Required<SocketEvents>) => TunnelSocket
  /** Called once, with the way in which the tunnel ended. */
  readonly ended: (how: string) => void
}

/**
 * The directory is read only as far as bytes are credited, so that a slow hub slows the directory down and does not fill
 * the memory of the device.
 */
export class Tunnel {
  private readonly ports: TunnelPorts
  private readonly socket: TunnelSocket
  private readonly credit = new Credit(TUNNEL)
  private directory: Socket | null = null
  private failure: TunnelFailure | null = null
  private isOpen = false
  private isJoined = false
  private isEnded = false
  private cancelIdle: () => void = () => {}

  constructor(ports: TunnelPorts) {
    this.ports = ports
    this.touch()
    this.socket = ports.openSocket({
      opened: () => {
        this.isOpen = true
        this.join()
      },
      message: (text) => this.onText(text),
      bytes: (bytes) => this.onBytes(bytes),
      closed: () => this.end('the service closed it'),
    })
    ports.directory.then(
      (directory) => this.onDialled(directory),
      (error: unknown) => {
        this.failure = error instanceof DialError ? error.reason : 'unreachable'
        this.join()
      },
    )
  }

  end(how: string): void {
    if (this.isEnded) return
    this.isEnded = true
    this.cancelIdle()
    this.directory?.destroy()
    this.socket.close(1000, '')
    this.ports.ended(how)
  }

  private onDialled(directory: Socket): void {
    if (this.isEnded) return void directory.destroy()
    this.directory = directory
    directory.on('readable', () => this.forward())
    directory.on('error', ({ message }) => this.end(message))
    directory.on('close', () => this.end('the directory closed it'))
    this.join()
  }

  /** Tells the service if the directory was reached, once the socket is open. */
  private join(): void {
    if (!this.isOpen || this.isEnded) return
    if (this.failure !== null) {
      this.sendControl({ t: 'failed', reason: this.failure })
      return this.end(this.failure)
    }
    if (!this.directory || this.isJoined) return
    this.isJoined = true
    this.sendControl({ t: 'opened' })
    this.touch()
    this.forward()
  }

  /** Sends bytes of the directory, as many as are credited. */
  private forward(): void {
    const { directory } = this
    if (!directory || !this.isJoined) return
    while (!this.isEnded) {
      const size = this.credit.sendable(Math.min(directory.readableLength, TUNNEL.frameBytes))
      // read() of nothing asks for more, and notices the end
      const bytes = (
        size > 0 || directory.readableLength === 0 ? directory.read(size || undefined) : null
      ) as Buffer | null
      if (bytes === null) return
      this.credit.sent(bytes.length)
      this.socket.send(new Uint8Array(bytes))
      this.touch()
    }
  }

  private onText(text: string): void {
    const control = parseTunnelControl(text)
    if (control?.t !== 'credit' || !this.credit.credited(control.bytes))
      return this.end('the service broke the protocol')
    this.forward()
  }

  private onBytes(bytes: Uint8Array): void {
    const { directory } = this
    if (!directory || !this.isJoined || !this.credit.receive(bytes.length))
      return this.end('the service broke the protocol')
    this.touch()
    directory.write(bytes, (error) => {
      const due = error || this.isEnded ? 0 : this.credit.consume(bytes.length)
      if (due > 0) this.sendControl({ t: 'credit', bytes: due })
    })
  }

  private sendControl(control: TunnelControl): void {
    this.socket.send(JSON.stringify(control))
  }

  /** Restarts the idle timeout after traffic. */
  private touch(): void {
    this.cancelIdle()
    this.cancelIdle = this.ports.clock.after(TUNNEL.idleMs, () => this.end('nothing moved for 30 s'))
  }
}
