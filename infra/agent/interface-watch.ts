import { AGENT } from '#contract/kernel/hub-limits.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import type { Clock } from './clock.ts'
import { type Log, messageOfError } from './log.ts'
import type { Machine } from './machine/machine.ts'

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

  /** Reads the interfaces for a hello; changes are reported from these on. */
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
