import { type Log, messageOfError } from '#infra/agent/log.ts'
import { Management } from './management.ts'
import { type ClientSession, type ManagementEvent, readSession } from './management-lines.ts'
import { normalSerial } from './revoked-serials.ts'

/* State of a running process, by its management socket: connected or not, and the sessions of its clients. */

export interface Session {
  readonly name: string
  /** Serial number of its certificate; null where it connected before this agent. */
  readonly serial: string | null
}

export type ClientNotification = Extract<ManagementEvent, { type: 'client' }>

export interface ManagedTunnelPorts {
  readonly device: string
  readonly socketPath: string
  readonly isServer: boolean
  readonly log: Log
  /** True while the process runs. */
  isRunning(): boolean
  /** A state or session has changed. */
  changed(): void
  /** A client asks for admission (`CONNECT`, `REAUTH`); the answer is a command. */
  admit(client: ClientNotification): Promise<string>
}

const RETRY_MS = 50
const RECONNECT_MS = 1_000
const CONNECTED = 'CONNECTED'

export class ManagedTunnel {
  private readonly ports: ManagedTunnelPorts
  private management: Management | null = null
  private state = ''
  private readonly sessions = new Map<number, Session>()
  private isClosed = false
  private timer: NodeJS.Timeout | undefined
  private opening: Promise<void> = Promise.resolve()

  constructor(ports: ManagedTunnelPorts) {
    this.ports = ports
  }

  /** Resolves once the process answers, a server only once it listens. Rejects at the deadline or when the process ends. */
  open(withinMs: number): Promise<void> {
    const opening = this.waitForAnswer(withinMs)
    this.opening = opening.catch(() => this.reconnectLater())
    return opening
  }

  private async waitForAnswer(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs
    for (;;) {
      if (!this.ports.isRunning()) throw new Error(`${this.ports.device} ended at its start`)
      if (this.management === null) await this.connect().catch(() => {})
      if (this.management !== null && (!this.ports.isServer || this.isUp)) return
      if (this.isClosed || performance.now() > until) throw new Error(`${this.ports.device} does not answer`)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  /** True for a client whose tunnel stands, and for a server that listens. */
  get isUp(): boolean {
    return this.management !== null && this.state === CONNECTED
  }

  /** Names of the clients with a session. */
  clients(): ReadonlySet<string> {
    return new Set([...this.sessions.values()].map(({ name }) => name))
  }

  /** Ends sessions; returns their number. `HALT` stops the client, `RESTART` lets it try again. */
  async disconnect(isMeant: (session: Session) => boolean, how: 'HALT' | 'RESTART'): Promise<number> {
    await this.opening
    const meant = [...this.sessions].filter(([, session]) => isMeant(session))
    const sent = await Promise.allSettled(meant.map(([cid]) => this.management?.command(`client-kill ${cid} ${how}`)))
    return sent.filter(({ status }) => status === 'fulfilled').length
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    this.management?.close()
  }

  private async connect(): Promise<void> {
    const management = await Management.open(this.ports.socketPath, {
      event: (event) => this.onEvent(event),
      closed: () => this.onClosed(),
    })
    this.management = management
    if (this.isClosed) return management.close()
    await management.command('state on')
    const [line = ''] = (await management.list('state')).slice(-1)
    this.state = line.split(',')[1] ?? ''
    if (this.ports.isServer) {
      this.sessions.clear()
      for (const each of await this.readSessions(management))
        this.sessions.set(each.cid, { name: each.name, serial: null })
    }
    this.ports.changed()
  }

  private async readSessions(management: Management): Promise<ClientSession[]> {
    return (await management.list('status 3')).map(readSession).filter((each) => each !== null)
  }

  private onClosed(): void {
    this.management = null
    this.state = ''
    this.sessions.clear()
    if (this.isClosed) return
    this.ports.changed()
    this.reconnectLater()
  }

  /** Keeps trying while the process runs: it may be busy, or another program may hold its socket. */
  private reconnectLater(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      if (this.isClosed || this.management !== null || !this.ports.isRunning()) return
      this.connect().catch(() => this.reconnectLater())
    }, RECONNECT_MS)
    this.timer.unref()
  }

  private onEvent(event: Exclude<ManagementEvent, { type: 'reply' }>): void {
    if (event.type === 'state') this.state = event.state
    else if (event.type === 'client') this.onClient(event)
    else return
    this.ports.changed()
  }

  private onClient(client: ClientNotification): void {
    const { event, cid, env } = client
    if (event === 'ESTABLISHED') {
      const serial = env.get('tls_serial_hex_0')
      const name = env.get('common_name') ?? ''
      this.sessions.set(cid, { name, serial: serial === undefined ? null : normalSerial(serial) })
    } else if (event === 'DISCONNECT') this.sessions.delete(cid)
    else if (event === 'CONNECT' || event === 'REAUTH') void this.answer(client)
  }

  private async answer(client: ClientNotification): Promise<void> {
    try {
      await this.management?.command(await this.ports.admit(client))
    } catch (error) {
      this.ports.log(`${this.ports.device}: a dial is not answered: ${messageOfError(error)}`)
    }
  }
}
