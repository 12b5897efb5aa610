import type { AgentFrame, HubFrame, InterfaceInfo } from '#contract/kernel/protocol.ts'
import { AGENT, STREAM } from '#contract/kernel/hub-limits.ts'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Machine } from '../machine/machine.ts'

/* Reports counters and changed interfaces of the device to the hub. */

/** Counters of interfaces, of the links that the device dials, and of the interfaces that serve its points. */
export type DeviceCounters = Pick<Extract<AgentFrame, { t: 'counters' }>, 'interfaces' | 'links' | 'trunks'>

export interface TelemetryPorts {
  readonly clock: Clock
  read(withTrunks: boolean): Promise<DeviceCounters>
  send(counters: DeviceCounters, at: number): void
  /** Backpressure: true while earlier frames are still queued in the socket. */
  isBackedUp(): boolean
  /** Called when a sample could not be taken; the next one may succeed. */
  failed(error: unknown): void
}

type Stream = Extract<HubFrame, { t: 'stream' }>

/** Sends counters: each `rate_ms` during a lease of the hub, else as a summary every five minutes. */
export class Telemetry {
  private readonly ports: TelemetryPorts
  private isUp = false
  private rateMs = 0
  private leaseEndsAt = -Infinity
  /** The present lease asks for trunks. */
  private hasTrunks = false
  private summaryDueAt = -Infinity
  private nextAt = 0
  private isReading = false
  private cancelTimer: () => void = () => {}

  constructor(ports: TelemetryPorts) {
    this.ports = ports
  }

  /** A new connection: streaming stops until requested again, and an overdue summary is sent now. */
  connected(): void {
    this.isUp = true
    this.leaseEndsAt = -Infinity
    this.plan(Math.max(this.summaryDueAt, this.ports.clock.monotonic()))
  }

  disconnected(): void {
    this.isUp = false
    this.cancelTimer()
  }

  stream({ on, rate_ms, lease_s, trunks = false }: Stream): void {
    const now = this.ports.clock.monotonic()
    const wasOn = now < this.leaseEndsAt
    const rateMs = Math.min(Math.max(rate_ms, AGENT.streamRateMinMs), STREAM.summaryMs)
    this.leaseEndsAt = on ? now + lease_s * 1000 : -Infinity
    this.hasTrunks = trunks
    if (on && wasOn && rateMs === this.rateMs) return // renewed
    this.rateMs = rateMs
    this.plan(on ? now : Math.max(this.summaryDueAt, now))
  }

  /** Sends at once, whatever the schedule. */
  async sendNow(): Promise<void> {
    if (!this.isUp || this.isReading || this.ports.isBackedUp()) return
    this.isReading = true
    try {
      const isStreaming = this.ports.clock.monotonic() < this.leaseEndsAt
      const counters = await this.ports.read(isStreaming && this.hasTrunks)
      const at = this.ports.clock.monotonic()
      if (this.isUp) this.ports.send(counters, at)
      this.summaryDueAt = at + STREAM.summaryMs
    } finally {
      this.isReading = false
    }
  }

  private plan(at: number): void {
    this.cancelTimer()
    this.nextAt = at
    if (this.isUp) this.cancelTimer = this.ports.clock.after(at - this.ports.clock.monotonic(), () => this.tick())
  }

  private tick(): void {
    const now = this.ports.clock.monotonic()
    const isStreaming = now < this.leaseEndsAt
    if (isStreaming || now >= this.summaryDueAt) this.sendNow().catch((error: unknown) => this.ports.failed(error))
    if (isStreaming) this.plan(Math.max(this.nextAt + this.rateMs, now + this.rateMs / 2)) // no drift, no burst after a stall
    else this.plan(Math.max(this.summaryDueAt, now + AGENT.settledMs))
  }
}

interface WatchPorts {
  readonly clock: Clock
  readonly machine: Machine
  readonly log: Log
  readonly send: (interfaces: InterfaceInfo[]) => void
}

/** Tells the hub when the device's interfaces have changed, while the device is connected. */
export class InterfaceWatch {
  private readonly ports: WatchPorts
  private fingerprint = ''
  private isOn = false
  private cancel: () => void = () => {}

  constructor(ports: WatchPorts) {
    this.ports = ports
  }

  /** Reads the interfaces for a hello; later changes are reported against these. */
  async read(): Promise<InterfaceInfo[]> {
    const { machine } = this.ports
    this.fingerprint = await machine.fingerprint()
    return machine.interfaces()
  }

  async sendNow(): Promise<void> {
    this.ports.send(await this.ports.machine.interfaces())
  }

  start(): void {
    this.isOn = true
    this.schedule()
  }

  stop(): void {
    this.isOn = false
    this.cancel()
  }

  private schedule(): void {
    const { clock, log } = this.ports
    const check = () => this.check().catch((error: unknown) => log(`unexpected: ${messageOfError(error)}`))
    this.cancel()
    this.cancel = clock.after(AGENT.interfacesCheckMs, () => void check())
  }

  private async check(): Promise<void> {
    const fingerprint = await this.ports.machine.fingerprint()
    if (!this.isOn) return
    if (fingerprint !== this.fingerprint) {
      this.fingerprint = fingerprint
      await this.sendNow()
      this.ports.log('interfaces changed')
    }
    this.schedule()
  }
}
