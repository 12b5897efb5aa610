import { PROBE } from '#contract/kernel/hub-limits.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { LinkProbe } from '#infra/agent/agent.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import type { LinkState } from './link-states.ts'

/* Reports of links that run in tunnels: their state by the driver, their round trip time by the prober inside the tunnel. */

export interface TunnelProbePorts {
  readonly prober: LinkProbe
  readonly clock: Clock
  /** States of the links of the running document. */
  readStates(): Promise<ReadonlyMap<string, LinkState>>
  /** Adds a listener of tunnels that come or go. */
  onChange(listener: () => void): void
  /** Ends the sessions of the peers of server ends; answers the ids of the links that had one. */
  disconnect(ends: readonly LinkEnd[]): Promise<readonly string[]>
  /** The same, and starts the processes that have given up; answers the ids of the links that are made anew. */
  restart(ends: readonly LinkEnd[]): Promise<readonly string[]>
}

/** Time between two reads, by the number of links: the routing daemon prints all of its sessions each time. */
const pollMs = (links: number): number => Math.min(10_000, Math.max(1_000, links * 5))
/** Changes gather for a moment, because a centre receives hundreds at once. */
const GATHER_MS = 100
/** A link that was not seen up yet is not reported down before: its tunnel may be connecting. */
const SETTLE_MS = 5_000

/** A device has one document, so there is one owner. */
export class TunnelProbe implements LinkProbe {
  private readonly ports: TunnelProbePorts
  private ends: readonly LinkEnd[] = []
  private owner = ''
  private readonly reported = new Map<string, LinkState>()
  private readonly since = new Map<string, number>()
  /** Losses as they were reported last. */
  private readonly losses = new Map<string, number>()
  private changed: (reports: LinkReport[]) => void = () => {}
  private isReading = false
  private isStale = false
  private cancelPoll: () => void = () => {}
  private readAt = Infinity

  constructor(ports: TunnelProbePorts) {
    this.ports = ports
    ports.onChange(() => this.readIn(GATHER_MS))
  }

  get port(): number {
    return this.ports.prober.port
  }

  watch(owner: string, ends: readonly LinkEnd[], changed: (reports: LinkReport[]) => void): void {
    this.owner = owner
    this.ends = ends.filter(inTunnel)
    this.changed = changed
    const ids = new Set(this.ends.map(({ id }) => id))
    const now = this.ports.clock.monotonic()
    for (const id of this.since.keys()) if (!ids.has(id)) this.forget(id)
    for (const id of ids) if (!this.since.has(id)) this.since.set(id, now)
    this.ports.prober.watch(owner, ends, (reports) => {
      const probed = reports.filter(({ id }) => !ids.has(id))
      if (probed.length > 0) changed(probed)
    })
    this.cancelPoll()
    this.readAt = Infinity
    if (ids.size > 0) void this.read()
  }

  reports(owner: string): LinkReport[] {
    const probed = this.ports.prober.reports(owner)
    const own = new Map(probed.map((report) => [report.id, report]))
    return [
      ...probed.filter(({ id }) => !this.since.has(id)),
      ...[...this.reported].map(([id, { isUp, tunnel, remote }]) => ({
        id,
        up: isUp,
        rtt_ms: isUp ? (own.get(id)?.rtt_ms ?? null) : null,
        tunnel: { ...tunnel, ...(isUp && own.get(id)?.tunnel) },
        ...(remote !== undefined && { remote }),
      })),
    ]
  }

  takeSums(owner: string): ReturnType<LinkProbe['takeSums']> {
    return this.ports.prober.takeSums(owner)
  }

  disconnect(owner: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.perform('disconnect', owner, ids)
  }

  restart(owner: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.perform('restart', owner, ids)
  }

  private async perform(action: 'disconnect' | 'restart', owner: string, ids: readonly string[]) {
    const wanted = new Set(ids)
    const own = this.ends.filter(({ id }) => wanted.has(id))
    const others = ids.filter((id) => !this.since.has(id))
    const { prober } = this.ports
    return (await Promise.all([this.ports[action](own), prober[action](owner, others)])).flat()
  }

  /** Reads the states once at a time; a change meanwhile is read after. */
  private async read(): Promise<void> {
    this.isStale = true
    this.cancelPoll()
    this.readAt = Infinity
    if (this.isReading) return
    this.isReading = true
    while (this.isStale) {
      this.isStale = false
      const states = await this.ports.readStates().catch(() => new Map<string, LinkState>())
      this.take(states)
    }
    this.isReading = false
    if (this.ends.length > 0) this.readIn(pollMs(this.ends.length))
  }

  /** Reads then, unless that is due before. */
  private readIn(ms: number): void {
    const at = this.ports.clock.monotonic() + ms
    if (at >= this.readAt) return
    this.cancelPoll()
    this.readAt = at
    this.cancelPoll = this.ports.clock.after(ms, () => void this.read())
  }

  private take(states: ReadonlyMap<string, LinkState>): void {
    const now = this.ports.clock.monotonic()
    const moved: string[] = []
    const losses = new Map(this.ports.prober.reports(this.owner).map(({ id, tunnel }) => [id, tunnel?.loss]))
    for (const { id } of this.ends) {
      const [state, before] = [states.get(id), this.reported.get(id)]
      if (state === undefined) continue
      const isLossMoved = before !== undefined && this.takeLoss(id, losses.get(id))
      if (!isLossMoved && isSameJson(before, state)) continue
      const isSettling = before === undefined && now - (this.since.get(id) ?? now) < SETTLE_MS
      if (!state.isUp && isSettling) continue
      this.reported.set(id, state)
      moved.push(id)
    }
    if (moved.length > 0) this.changed(this.reports(this.owner).filter(({ id }) => moved.includes(id)))
  }

  /** True for a loss that the hub shows otherwise. The first that is known also brings a latency that has settled. */
  private takeLoss(id: string, loss: number | undefined): boolean {
    const before = this.losses.get(id)
    if (loss === undefined) return false
    const isNear = before !== undefined && Math.abs(before - loss) < PROBE.lossStep
    if (isNear && (before === 0) === (loss === 0)) return false
    this.losses.set(id, loss)
    return true
  }

  private forget(id: string): void {
    this.since.delete(id)
    this.reported.delete(id)
    this.losses.delete(id)
  }
}

const inTunnel = ({ carrier }: LinkEnd): boolean => carrier === 'tunnel'
