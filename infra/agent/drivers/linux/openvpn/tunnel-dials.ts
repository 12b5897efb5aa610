import { createHash } from 'node:crypto'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { Dial, DialSource } from '#infra/agent/reports/dial-reporter.ts'
import type { SessionChange } from './managed-tunnel.ts'
import type { ClientSession } from './management-lines.ts'
import type { SoftwareServer } from './openvpn-tool.ts'

/* Dials of software members, from the sessions of the servers. They outlive the agent, which finds them again by key. */

interface TunnelDialsPorts {
  readonly clock: Clock
  /** Ends the sessions of a member in a network, of any profile or of one. */
  end(network: string, name: string, isHalted: boolean, profile: number | null): Promise<unknown>
  /** Lists the sessions anew, with their byte counts. */
  refresh(): Promise<void>
}

export class TunnelDials implements DialSource {
  private readonly ports: TunnelDialsPorts
  /** Open dials by key, with their servers. */
  private readonly open = new Map<string, { readonly device: string; readonly dial: Dial }>()
  private report: (...dials: readonly Dial[]) => void = () => {}
  private cancel: () => void = () => {}

  constructor(ports: TunnelDialsPorts) {
    this.ports = ports
  }

  start(report: (...dials: readonly Dial[]) => void): void {
    this.report = report
    const known = [...this.open.values()].map(({ dial }) => dial)
    if (known.length > 0) report(...known)
    this.plan()
  }

  /** The driver ends the sessions of members that the document does not name any more. */
  serve(): void {}

  /** Also without an open dial: one may be admitted that does not stand yet. */
  end(network: string, name: string, isHalted: boolean, profile: number | null): number {
    void this.ports.end(network, name, isHalted, profile)
    return [...this.open.values()].filter(({ dial }) => dial.network_number === network && dial.name === name).length
  }

  /** The dials go on without the agent. */
  stop(): void {
    this.cancel()
    this.report = () => {}
  }

  /** Takes a change of the sessions of one server. */
  take(server: SoftwareServer, change: SessionChange): void {
    const now = this.ports.clock.now()
    const { device } = server
    if (change.type === 'ended') {
      const dial = this.toDial(server, change.session)
      return this.open.has(dial.key) ? this.close(dial, now - change.ageMs) : undefined // a refused one never began
    }
    const sessions =
      change.type === 'began' ? [change.session] : change.sessions.filter(({ address }) => address !== '')
    const dials = sessions.map((session) => this.toDial(server, session, change.type === 'began' ? now : undefined))
    if (change.type === 'listed') {
      const listed = new Set(dials.map(({ key }) => key))
      for (const [key, each] of this.open) if (each.device === device && !listed.has(key)) this.close(each.dial, now)
    }
    const moved = dials.filter(({ key, rx, tx }) => {
      const known = this.open.get(key)?.dial
      return known === undefined || known.rx !== rx || known.tx !== tx
    })
    for (const dial of moved) this.open.set(dial.key, { device, dial })
    if (moved.length > 0) this.report(...moved)
  }

  /** The same session has the same key for each agent of this device, and keeps the beginning that the first one saw. */
  private toDial(
    { device, network }: SoftwareServer,
    { name, remote, cid, since, rx, tx }: ClientSession,
    beganAt = since * 1000,
  ): Dial {
    const identity = [network, device, cid, since, name].join(' ')
    const key = createHash('sha256').update(identity).digest('base64url').slice(0, 22)
    return {
      key,
      network_number: network,
      name,
      remote: remote.replace(/:\d+$/, ''),
      beganAt: this.open.get(key)?.dial.beganAt ?? beganAt,
      endedAt: null,
      rx,
      tx,
    }
  }

  private close(dial: Dial, now: number): void {
    this.open.delete(dial.key)
    this.report({ ...dial, endedAt: now })
  }

  private plan(): void {
    this.cancel = this.ports.clock.after(DIAL.updateMs, () => {
      void this.ports.refresh().catch(() => {}) // the next one follows
      this.plan()
    })
  }
}
