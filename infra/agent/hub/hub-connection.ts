import { CLOSE, CLOSED_DISABLED, type HubFrame, PING, PONG } from '#contract/kernel/protocol.ts'
import { AGENT, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { boundSpread } from '#domain/router/presence.ts'
import type { Clock } from '../clock.ts'
import { readFrame } from './frames.ts'
import { type Refusal, ServiceRefusal } from './identity.ts'
import type { AgentSocket, OpenSocket } from '../agent-socket.ts'
import { type Log, messageOfError } from '../log.ts'
import { type Ending, retryDelayMs } from './retry.ts'
import type { ServerAddresses } from './server-addresses.ts'

/* The agent's connection to the hub: opens one socket, by one address after the other, pings, times out and reconnects. */

export interface ConnectionPorts {
  readonly clock: Clock
  readonly addresses: Pick<ServerAddresses, 'current' | 'patienceMs' | 'next' | 'startOver'>
  readonly openSocket: OpenSocket
  /** Random number in [0, 1). */
  readonly random: () => number
  readonly log: Log
  /** Headers that prove the device, new for each attempt. Throws if the server refuses. */
  authorize(): Promise<Readonly<Record<string, string>>>
  /** Reason why the server refused the socket, or null if unknown. */
  explain(): Promise<Refusal | null>
  /** The socket is open: sends `hello`. A rejection closes it. */
  opened(): Promise<void>
  frame(frame: HubFrame): void
  lost(): void
  /** The hub has closed with 4002: the router was deleted or disabled, or its key reset. */
  removed(): void
}

export class HubConnection {
  private readonly ports: ConnectionPorts
  private socket: AgentSocket | null = null
  /** Number of the current try; events of earlier ones are ignored. */
  private round = 0
  private attempts = 0
  private takeovers = 0
  /** An address of this round has refused the try as during a restart. */
  private isRefused = false
  private welcomedAt: number | null = null
  private open = false
  private openedAt = 0
  /** Time of the last pong or welcome. Other frames prove only that the hub can still send. */
  private answeredAt = 0
  private pingAt = 0
  private heartbeatMs: number = PRESENCE.pingMs
  private spreadMs: number = PRESENCE.restartSpreadMs
  /** Time at which the last welcomed connection ended. */
  private lostAt: number | null = null
  private pings = 0
  private pongs = 0
  /** Waits for the pong of that ping; once that socket is gone, for a new welcome. */
  private proof: { readonly ping: number; readonly done: () => void } | null = null
  /** Time until which the hub may accept an abandoned attempt, and treat it as the newest connection. */
  private lateSocketUntil = -Infinity
  private cancelTimer: () => void = () => {}
  private stopped = false

  constructor(ports: ConnectionPorts) {
    this.ports = ports
  }

  get isUp(): boolean {
    return this.welcomedAt !== null
  }

  start(): void {
    void this.connect()
  }

  send(text: string): void {
    if (this.open) this.socket?.send(text)
  }

  backlogBytes(): number {
    return this.socket?.bufferedAmount() ?? 0
  }

  /** Calls back once the hub has answered something sent from now on, here or over the next socket. */
  onProof(done: () => void): void {
    if (this.isUp) {
      this.proof = { ping: this.pings + 1, done }
      this.ping()
    } else this.proof = { ping: Infinity, done }
  }

  /** Closes with 1000, without reconnecting. */
  stop(): void {
    this.stopped = true
    this.abandon(1000, 'shutting down')
  }

  private async connect(): Promise<void> {
    const round = ++this.round
    const isCurrent = () => round === this.round && !this.stopped
    const { addresses } = this.ports
    this.timer(addresses.patienceMs, () => this.end(1006, 'no answer to the connection request'))
    try {
      const headers = await this.ports.authorize()
      if (!isCurrent()) return
      this.socket = this.ports.openSocket(socketUrl(addresses.current, 'connect'), headers, {
        opened: () => isCurrent() && this.onOpen(),
        message: (text) => isCurrent() && this.onMessage(text),
        closed: (code, reason) => isCurrent() && void this.onClosed(code, reason),
      })
    } catch (error) {
      if (isCurrent()) this.end(1006, messageOfError(error), toRefusal(error))
    }
  }

  private onOpen(): void {
    const { round } = this
    this.open = true
    this.pings = this.pongs = 0
    this.openedAt = this.answeredAt = this.ports.clock.monotonic()
    this.pingAt = this.answeredAt + this.heartbeatMs * this.ports.random() // phases differ from the start
    this.beat()
    this.ports.opened().catch((error: unknown) => {
      if (round === this.round) this.end(1006, messageOfError(error))
    })
  }

  private onMessage(text: string): void {
    if (text === PONG) {
      this.answeredAt = this.ports.clock.monotonic()
      this.pongs += 1
      if (this.proof && this.pongs >= this.proof.ping) this.proved()
      return
    }
    const frame = readFrame(text)
    if (!frame) return this.ports.log(`a frame of ${text.length} characters could not be read: ignored`)
    if (frame === 'unknown') return
    if (frame.t === 'welcome') {
      this.welcomedAt = this.answeredAt = this.ports.clock.monotonic()
      this.isRefused = false
      this.heartbeatMs = Math.min(Math.max(frame.heartbeat_s, 1), 300) * 1000
      this.spreadMs = boundSpread(frame.spread_s * 1000)
    }
    this.ports.frame(frame)
    if (frame.t === 'welcome') this.proved()
  }

  private proved(): void {
    const done = this.proof?.done
    this.proof = null
    done?.()
  }

  /** One timer for the next ping and for both timeouts. */
  private beat(): void {
    const now = this.ports.clock.monotonic()
    if (now >= this.answeredAt + this.receiveTimeoutMs()) return this.end(CLOSE.silent, 'the hub has gone silent')
    if (now >= this.welcomeDueAt()) return this.end(CLOSE.silent, 'the hub sent no welcome')
    if (now >= this.pingAt) this.ping()
    this.beatBy(this.answeredAt + this.receiveTimeoutMs())
  }

  private beatBy(silentAt: number): void {
    const dueAt = Math.min(this.pingAt, silentAt, this.welcomeDueAt())
    this.timer(dueAt - this.ports.clock.monotonic(), () => this.beat())
  }

  /** Deadline of the welcome. Pongs do not count: the platform answers pings even if the hub never saw a hello. */
  private welcomeDueAt(): number {
    return this.isUp ? Infinity : this.openedAt + PRESENCE.helloMs
  }

  private ping(): void {
    const { clock, random } = this.ports
    const now = clock.monotonic()
    this.pings += 1
    this.pingAt = now + this.heartbeatMs * (1 + PRESENCE.pingSpread * (2 * random() - 1))
    this.send(PING)
    this.beatBy(now + this.receiveTimeoutMs()) // the pong proves that the hub is reachable with the document on trial
  }

  private receiveTimeoutMs(): number {
    const leaseMs = (this.heartbeatMs * PRESENCE.leaseMs) / PRESENCE.pingMs
    return this.proof ? Math.min(leaseMs, AGENT.proofMs) : leaseMs
  }

  private async onClosed(code: number, reason: string): Promise<void> {
    if (this.open) return this.end(code, reason)
    const round = this.round
    const refusal = await this.ports.explain()
    if (round !== this.round) return
    this.end(code, refusal?.message ?? (reason || 'the server cannot be reached'), refusal ?? undefined)
  }

  /** Handles the end of this socket by either side, and decides when to reconnect. */
  private end(code: number, why: string, refusal?: Refusal): void {
    const now = this.ports.clock.monotonic()
    const wasUp = this.isUp
    const lastedMs = now - (this.welcomedAt ?? now)
    if (wasUp) {
      this.lostAt = now
      this.ports.addresses.startOver()
    }
    if (!wasUp && this.triesNext(code, why, refusal)) return
    this.attempts = lastedMs >= AGENT.settledMs ? 1 : this.attempts + 1
    const isTakenOver = this.countTakeover(code, lastedMs)
    this.abandon(code >= 3000 ? code : 1000, why)
    if (code === CLOSE.removed) this.ports.removed() // a refusal never removes: a database during a restore lacks rows
    const words = toWords(why)
    const what = wasUp ? `disconnected (${[code, words].filter(Boolean).join(', ')})` : `not connected: ${words}`
    const advice = isTakenOver ? `; ${DUPLICATE} (${this.takeovers} in a row)` : ''
    const isOwnLateSocket = code === CLOSE.superseded && !isTakenOver
    this.reconnect(`${what}${advice}`, {
      code: isOwnLateSocket ? 1006 : code,
      wasUp,
      isDisabled: isDisabledBy(code, why, refusal),
      retryAfterMs: refusal?.retryAfterMs ?? parseRetryAfter(why),
    })
  }

  /** Begins the next round after a delay by the way in which this one ended. */
  private reconnect(what: string, ended: Pick<Ending, 'code' | 'wasUp' | 'isDisabled' | 'retryAfterMs'>): void {
    const { clock, log, random } = this.ports
    const now = clock.monotonic()
    const ending = {
      ...ended,
      attempt: this.attempts,
      isRestarting: this.isRefused && this.lostAt !== null, // a device that was never connected waits for no restart
      lostMs: now - (this.lostAt ?? now),
      takeovers: this.takeovers,
    }
    const waitMs = retryDelayMs(ending, this.spreadMs, random)
    this.isRefused = false
    log(`${what}; next try in ${(waitMs / 1000).toFixed(1)} s`)
    this.timer(waitMs, () => void this.connect())
  }

  /** True where the address did not reach the service, and another one of this round is tried without the wait between rounds. */
  private triesNext(code: number, why: string, refusal: Refusal | undefined): boolean {
    const { addresses, log, random } = this.ports
    this.isRefused ||= refusal?.isRestarting === true
    const left = addresses.current
    if (!isUnreached(code, refusal) || !addresses.next()) return false
    this.abandon(code >= 3000 ? code : 1000, why)
    log(`not connected to ${left}: ${toWords(why)}; next is ${addresses.current}`)
    this.timer(AGENT.retryFloorMs + random() * (AGENT.nextEntryMs - AGENT.retryFloorMs), () => void this.connect())
    return true
  }

  /** Counts a takeover; false for a late socket of this agent itself. After a long connection the count starts again. */
  private countTakeover(code: number, lastedMs: number): boolean {
    if (lastedMs >= PRESENCE.flapWindowMs) this.takeovers = 0
    if (code !== CLOSE.superseded || this.ports.clock.monotonic() < this.lateSocketUntil) return false
    this.takeovers += 1
    return true
  }

  private abandon(code: number, why: string): void {
    const { socket } = this
    const wasUp = this.isUp
    if (socket && !this.open) this.lateSocketUntil = this.ports.clock.monotonic() + PRESENCE.leaseMs
    this.round += 1
    this.cancelTimer()
    this.socket = null
    this.open = false
    this.welcomedAt = null
    if (this.proof) this.proof = { ...this.proof, ping: Infinity }
    try {
      socket?.close(code, Buffer.from(why).subarray(0, 120).toString()) // RFC 6455: at most 123 bytes
    } catch {
      // closed already
    }
    if (wasUp) this.ports.lost()
  }

  private timer(ms: number, run: () => void): void {
    this.cancelTimer()
    this.cancelTimer = this.ports.clock.after(Math.max(ms, 0), run)
  }
}

/** URL of a socket at this address of the service. */
export const socketUrl = (address: string, path: 'connect' | 'tunnel'): string =>
  new URL(`/device/v1/${path}`, address).href.replace(/^http/, 'ws')

/** The try did not reach the service, whose own refusals are the same at each of its addresses. */
const isUnreached = (code: number, refusal: Refusal | undefined): boolean =>
  (code === 1006 || code === CLOSE.silent) && (refusal?.isRestarting ?? true)

/** The close, or the refusal of the try, says that the router is disabled. */
const isDisabledBy = (code: number, why: string, refusal: Refusal | undefined): boolean =>
  refusal?.isDisabled ?? (code === CLOSE.removed && why === CLOSED_DISABLED)

const DUPLICATE =
  'another agent uses the key of this device, perhaps on a copy of its disk: end it, or have this device reset'

const toWords = (reason: string): string =>
  parseRetryAfter(reason) > 0 ? `the service takes no more connections now (${reason})` : reason

const toRefusal = (error: unknown): Refusal | undefined =>
  error instanceof ServiceRefusal
    ? { message: error.message, isRestarting: false, retryAfterMs: error.retryAfterMs }
    : undefined

/** Reads `retry_after=<seconds>` from the close reason of a connection that came too often, or at a busy time. */
const parseRetryAfter = (reason: string): number => Number(/^retry_after=(\d{1,5})$/.exec(reason)?.[1] ?? 0) * 1000
