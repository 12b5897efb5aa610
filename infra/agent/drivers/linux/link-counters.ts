import { COUNTED_LINKS, type Counters, type LinkCounters, type TrunkCounters } from '#contract/device/counters.ts'
import type { Clock } from '#infra/agent/clock.ts'
import { parseNetDev } from '#infra/agent/machine/linux.ts'
import { listNetworks } from '../render/tunnels.ts'
import type { RunningProcess } from './processes/process-table.ts'
import type { Runner } from './programs.ts'
import type { Rendering } from './tool.ts'

/*
 * Byte counters of the links that this device dials, and of the interfaces that serve its points, by the kernel's counters.
 * Those live as long as the process of the tunnel: they survive its reconnects and the agent, and start over with it.
 */

/** Unit of start times in /proc: the kernel shows a hundredth of a second to programs, whatever its own tick. */
const TICK_MS = 10

/** Link whose client end is a process of this device, or a network whose points one serves. */
interface ClientEnd {
  readonly id: string
  readonly device: string
}

export interface CounterSources {
  readonly interfaces: Counters
  readonly running: ReadonlyMap<string, Pick<RunningProcess, 'startTime'>>
  /** Milliseconds since boot. */
  readonly nowMs: number
}

/** The first links by their ids, as many as a frame takes. */
export const clientEnds = (rendering: Rendering): readonly ClientEnd[] =>
  listNetworks(rendering.document, rendering.slots)
    .flatMap(({ tunnels }) => tunnels)
    .flatMap((tunnel) => ('link' in tunnel && tunnel.link.role === 'client' ? [tunnel] : []))
    .map(({ device, link }) => ({ id: link.id, device }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, COUNTED_LINKS)

/** Interface that serves the points of each network, by its number. */
export const trunkEnds = (rendering: Rendering): readonly ClientEnd[] =>
  listNetworks(rendering.document, rendering.slots).flatMap(({ network, tunnels }) =>
    tunnels.flatMap(({ type, device }) => (type === 'access-server' ? [{ id: network.network_number, device }] : [])),
  )

/** Ends without a process or an interface are left out; so is one whose start lies ahead, as another clock has it. */
export function linkCounters(
  ends: readonly ClientEnd[],
  { interfaces, running, nowMs }: CounterSources,
): LinkCounters & TrunkCounters {
  const known = ends.flatMap(({ id, device }) => {
    const [counter, process] = [interfaces[device], running.get(device)]
    const ageMs = nowMs - (process?.startTime ?? Infinity) * TICK_MS
    return counter && ageMs >= 0 ? [[id, { ...counter, since_s: ageMs / 1_000 }] as const] : []
  })
  return Object.fromEntries(known)
}

interface DevicePorts {
  readonly clock: Clock
  parts(): readonly CountedPart[]
  running(): CounterSources['running']
}

/** Part of the device, with the namespace of its interfaces. */
interface CountedPart {
  readonly driver: { readonly running: Rendering | null }
  readonly runner: Pick<Runner, 'readInterfaces'>
}

/** Reads the counters of the ends that the renderings have, the first ones by their ids. */
function counterReader(
  { clock, parts, running }: DevicePorts,
  endsOf: (of: Rendering) => readonly ClientEnd[],
  max = Infinity,
) {
  const known = new WeakMap<Rendering, readonly ClientEnd[]>() // a centre has thousands of links

  async function read({ driver, runner }: CountedPart): Promise<LinkCounters & TrunkCounters> {
    if (driver.running === null) return {}
    const ends = known.get(driver.running) ?? endsOf(driver.running)
    known.set(driver.running, ends)
    if (ends.length === 0) return {}
    const interfaces = parseNetDev(await runner.readInterfaces().catch(() => '')) // its namespace is being built
    return linkCounters(ends, { interfaces, running: running(), nowMs: clock.monotonic() })
  }

  return async () => {
    const [first = {}, ...others] = await Promise.all(parts().map(read))
    if (others.length === 0) return first
    const all = [first, ...others].flatMap((counters) => Object.entries(counters))
    return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, max))
  }
}

export const linkCounterReader = (ports: DevicePorts): (() => Promise<LinkCounters>) =>
  counterReader(ports, clientEnds, COUNTED_LINKS)
export const trunkCounterReader = (ports: DevicePorts): (() => Promise<TrunkCounters>) =>
  counterReader(ports, trunkEnds)
