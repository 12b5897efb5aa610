import type { RouterDocument } from '#contract/device/document.ts'
import { COUNTED_LINKS, type LinkCounters, type TrunkCounters } from '#contract/device/counters.ts'
import type { Clock } from '#infra/agent/clock.ts'
import { type Profile, bytesBetween } from './traffic.ts'

/** Share of a device's WAN traffic that goes through its tunnels. */
const SHARE = 0.4

/** Counters of the links that a virtual router dials, in equal shares. One begins when its document first names the link. */
export function virtualLinkCounters(profile: Profile, clock: Clock, readDocument: () => RouterDocument | null) {
  let readAt = clock.now()
  let counters: LinkCounters = {}
  return async (): Promise<LinkCounters> => {
    const [from, to] = [readAt, clock.now()]
    readAt = to
    const links = readDocument()?.networks.flatMap((network) => network.links) ?? []
    const ids = links.filter(({ role }) => role === 'client').map(({ id }) => id)
    if (ids.length === 0) return (counters = {})
    const passed = (direction: 'down' | 'up') =>
      Math.round((bytesBetween(profile, direction, from, to) * SHARE) / ids.length)
    const [rx, tx] = [passed('down'), passed('up')]
    const next = ids.slice(0, COUNTED_LINKS).map((id) => {
      const known = counters[id]
      const since_s = known ? known.since_s + (to - from) / 1_000 : 0
      return [id, known ? { rx: known.rx + rx, tx: known.tx + tx, since_s } : { rx: 0, tx: 0, since_s }] as const
    })
    return (counters = Object.fromEntries(next))
  }
}

/** Counters of the interfaces that serve the points of a virtual centre, in equal shares; they begin with the first read. */
export function virtualTrunkCounters(profile: Profile, clock: Clock, readDocument: () => RouterDocument | null) {
  const began = clock.now()
  return async (): Promise<TrunkCounters> => {
    const now = clock.now()
    const served = readDocument()?.networks.filter(({ servers }) => servers.length > 0) ?? []
    const passed = (direction: 'down' | 'up') =>
      Math.round((bytesBetween(profile, direction, began, now) * SHARE) / served.length)
    const counter = () => ({ rx: passed('down'), tx: passed('up'), since_s: (now - began) / 1_000 })
    return Object.fromEntries(served.map(({ network_number }) => [network_number, counter()]))
  }
}
