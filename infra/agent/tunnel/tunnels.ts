import type { Socket } from 'node:net'
import { TUNNEL, type TunnelRequest } from '#contract/kernel/tunnel-frames.ts'
import { openWebSocket } from '../agent-socket.ts'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import { DialError, type Lookup, dialDirectory } from './dial-directory.ts'
import type { DirectoryPolicy } from './directory-policy.ts'
import { Tunnel } from './tunnel.ts'

/* Tunnels of a device to directories; each runs by itself, in parallel to commands and reports. */

/** Access to directories that a device needs to carry tunnels. */
export interface DirectoryAccess {
  /** `host:port` of `--directory`. */
  readonly targets: ReadonlySet<string>
  readonly lookup: Lookup
}

interface TunnelsPorts extends DirectoryAccess {
  readonly clock: Clock
  readonly log: Log
  /** URL for the next socket. */
  readonly url: () => string
  /** Headers that prove the device, new for each socket. */
  readonly authorize: () => Promise<Readonly<Record<string, string>>>
  readonly lans: () => Promise<DirectoryPolicy['lans']>
  /** Time of the server, in epoch milliseconds. */
  readonly serverNow: () => number
}

export class Tunnels {
  private readonly ports: TunnelsPorts
  private readonly open = new Set<Tunnel>()

  constructor(ports: TunnelsPorts) {
    this.ports = ports
  }

  async start(request: TunnelRequest): Promise<void> {
    const { log, clock } = this.ports
    if (request.expires_at <= this.ports.serverNow()) return log('a tunnel was asked for too late: ignored')
    const headers = { ...(await this.ports.authorize()), [TUNNEL.ticketHeader]: request.ticket }
    const url = this.ports.url()
    const target = `${request.host}:${request.port}`
    const directory =
      this.open.size < TUNNEL.streams ? this.dial(request) : Promise.reject<Socket>(new DialError('busy'))
    directory.catch(() => {}) // the tunnel tells the service
    const tunnel: Tunnel = new Tunnel({
      clock,
      directory,
      openSocket: (events) => openWebSocket(url, headers, events),
      ended: (how) => {
        this.open.delete(tunnel)
        log(`tunnel to ${target} ended: ${how}`)
      },
    })
    this.open.add(tunnel)
    log(`tunnel to ${target}`)
  }

  /** Ends all tunnels when the device stops or is removed. */
  endAll(): void {
    for (const tunnel of this.open) tunnel.end('the device stops')
  }

  private async dial(request: TunnelRequest) {
    const { targets, lookup, log } = this.ports
    const lans = await this.ports.lans().catch((error: unknown) => {
      log(`interfaces cannot be read: ${messageOfError(error)}`)
      return []
    })
    return dialDirectory(request, { targets, lans }, lookup)
  }
}
