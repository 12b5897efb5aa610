import { type Log, messageOfError } from '#infra/agent/log.ts'
import type { Admission } from './admission.ts'
import { Leaves } from './leaves.ts'
import { Management } from './management.ts'
import {
  type ClientSession,
  type ManagementEvent,
  type PeerSession,
  readPeer,
  readSession,
  remoteOfState,
} from './management-lines.ts'
import { normalSerial } from './revoked-serials.ts'

/* State of a running process, by its management socket: connected or not, and the sessions of its clients. */

export interface Session extends ClientSession {
  /** Serial number of its certificate; null where it connected before this agent. */
  readonly serial: string | null
}

/** Change of the sessions of a server. `listed` are all that there are. */
export type SessionChange =
  | { readonly type: 'listed'; readonly sessions: readonly ClientSession[] }
  | { readonly type: 'began'; readonly session: ClientSession }
  /** `ageMs`: time since the end. */
  | { readonly type: 'ended'; readonly session: ClientSession; readonly ageMs: number }

export type ClientNotification = Extract<ManagementEvent, { type: 'client' }>

export interface ManagedTunnelPorts {
  readonly device: string
  readonly socketPath: string
  readonly isServer: boolean
  /** True for an end of a link that both ends dial. Absent: no. */
  readonly isPeer?: boolean
  readonly log: Log
  /** True while the process runs. */
  isRunning(): boolean
  /** A state or session has changed. */
  changed(): void
  /** A server listens, or a client has reached its server. */
  connected(): void
  sessionsChanged(change: SessionChange): void
  /** False for a client whose member's sessions have ended since its admission. Absent: never. */
  isAdmitted?(client: ClientNotification): boolean
  /** A client asks for admission (`CONNECT`, `REAUTH`). */
  admit(client: ClientNotification): Promise<Admission>
}

const RETRY_MS = 50
const RECONNECT_MS = 1_000
const CONNECTED = 'CONNECTED'
const REFRESH_MS = 200
const LEFT = 'remote-exit'
const REVOKED_MS = 60_000
const REVOKED_MAX = 1_000
/** Message to the older of two clients of a member. */
export const SUPERSEDED = '该账号已在其他设备拨入'

export class ManagedTunnel {
  private readonly ports: ManagedTunnelPorts
  private management: Management | null = null
  private state = ''
  private session: PeerSession | null = null
  /** Address and port of the server; '' until it is known. */
  private server = ''
  private readonly sessions = new Map<number, Session>()
  private readonly leaves = new Leaves()
  /** Times of the last refusals of clients with a revoked certificate, by name. */
  private readonly revoked = new Map<string, number>()
  private isClosed = false
  private timer: NodeJS.Timeout | undefined
  private refreshTimer: NodeJS.Timeout | undefined
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

  /** Address and port of the server that a client is connected to; '' for a server. */
  get remote(): string {
    return this.isUp && !this.ports.isServer ? this.server : ''
  }

  /** Session of the other end, where both dial; null without one. */
  get peer(): PeerSession | null {
    return this.isUp ? this.session : null
  }

  /** Sessions by the name of the client. */
  clients(): ReadonlyMap<string, ClientSession> {
    return new Map([...this.sessions.values()].map((session) => [session.name, session]))
  }

  /** True for a client that was refused within a minute, because its certificate is revoked. */
  hasRevoked(name: string): boolean {
    return performance.now() - (this.revoked.get(name) ?? -Infinity) < REVOKED_MS
  }

  /**
   * Ends sessions; returns their number. `HALT` stops the client, `RESTART` lets it try again.
   * @param reason words of this program for the person who dialled.
   */
  async disconnect(isMeant: (session: Session) => boolean, how: 'HALT' | 'RESTART', reason = ''): Promise<number> {
    await this.opening
    const message = reason === '' ? how : `"${how},${reason}"`
    const meant = [...this.sessions].filter(([, session]) => isMeant(session))
    const sent = await Promise.allSettled(
      meant.map(([cid]) => this.management?.command(`client-kill ${cid} ${message}`)),
    )
    return sent.filter(({ status }) => status === 'fulfilled').length
  }

  /** Ends the session with the other end, which is dialled again; returns the number of ended ones. */
  async reconnect(): Promise<number> {
    await this.opening
    const isEnded = this.isUp
    await this.management?.command('signal SIGUSR1')
    return isEnded ? 1 : 0
  }

  /** Reads ciphers and byte counts of the sessions anew. */
  async refresh(): Promise<void> {
    const { management } = this
    if (management === null || !this.ports.isServer) return
    const listed = await this.readSessions(management)
    const serials = new Map([...this.sessions].map(([cid, { serial }]) => [cid, serial]))
    this.sessions.clear()
    for (const each of listed) this.sessions.set(each.cid, { ...each, serial: serials.get(each.cid) ?? null })
    this.ports.sessionsChanged({ type: 'listed', sessions: listed })
    this.ports.changed()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    clearTimeout(this.refreshTimer)
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
    if (this.ports.isServer) await management.command('log on')
    const [line = ''] = (await management.list('state')).slice(-1)
    if (this.state === '') {
      // a notification since is newer than the reply
      this.state = line.split(',')[1] ?? ''
      this.server = remoteOfState(line)
    }
    await this.refreshPeer()
    await this.refresh()
    this.ports.changed()
  }

  private async refreshPeer(): Promise<void> {
    const { management } = this
    if (management === null || this.ports.isPeer !== true || this.state !== CONNECTED) return
    const [states, log] = [await management.list('state'), await management.list('log all')]
    this.session = readPeer(states.at(-1) ?? '', log)
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
    if (event.type === 'state') this.onState(event)
    else if (event.type === 'client') this.onClient(event)
    else if (event.type === 'revoked') this.onRevoked(event.name)
    else if (event.type === 'notice' && event.text.includes(LEFT)) return this.leaves.left(performance.now())
    else return
    this.ports.changed()
  }

  private onState({ state, remote }: Extract<ManagementEvent, { type: 'state' }>): void {
    this.state = state
    this.server = remote
    if (state === CONNECTED) this.ports.connected()
    void this.refreshPeer().catch(() => {}) // the next state reads it again
  }

  private onRevoked(name: string): void {
    if (this.revoked.size >= REVOKED_MAX) this.revoked.clear()
    this.revoked.set(name, performance.now())
  }

  private onClient(client: ClientNotification): void {
    const { event, cid, env } = client
    if (event === 'ESTABLISHED') {
      if (this.ports.isAdmitted?.(client) === false)
        void this.management?.command(`client-kill ${cid} HALT`).catch(() => {})
      const serial = env.get('tls_serial_hex_0')
      const session = toSession(client)
      this.sessions.set(cid, { ...session, serial: serial === undefined ? null : normalSerial(serial) })
      this.ports.sessionsChanged({ type: 'began', session })
      this.refreshSoon()
    } else if (event === 'DISCONNECT') {
      const known = this.sessions.get(cid)
      if (known === undefined) return // a refused client has no session
      const session = { ...known, ...toVolume(env) }
      this.sessions.delete(cid)
      this.ports.sessionsChanged({ type: 'ended', session, ageMs: this.leaves.takeAge(performance.now()) })
    } else if (event === 'CONNECT' || event === 'REAUTH') void this.answer(client)
  }

  /** The cipher of a new session is in the status alone. */
  private refreshSoon(): void {
    clearTimeout(this.refreshTimer)
    this.refreshTimer = setTimeout(() => void this.refresh().catch(() => {}), REFRESH_MS)
    this.refreshTimer.unref()
  }

  /** Of two sessions of one client the older ends first: OpenVPN would let it dial again. */
  private async answer(client: ClientNotification): Promise<void> {
    try {
      const { command, admitted } = await this.ports.admit(client)
      if (admitted !== null)
        await this.disconnect(({ name, cid }) => name === admitted && cid !== client.cid, 'HALT', SUPERSEDED)
      await this.management?.command(command)
    } catch (error) {
      this.ports.log(`${this.ports.device}: a dial is not answered: ${messageOfError(error)}`)
    }
  }
}

const toSession = ({ cid, env }: ClientNotification): ClientSession => ({
  name: env.get('common_name') ?? '',
  remote: `${env.get('trusted_ip') ?? ''}:${env.get('trusted_port') ?? ''}`,
  address: env.get('ifconfig_pool_remote_ip') ?? '',
  cid,
  cipher: '',
  since: Number(env.get('time_unix') ?? 0),
  ...toVolume(env),
})

const toVolume = (env: ClientNotification['env']) => ({
  rx: Number(env.get('bytes_received') ?? 0),
  tx: Number(env.get('bytes_sent') ?? 0),
})
