import { leavingNeighbors } from './bgp-delta.ts'
import type { BgpConfig, Neighbor } from './running-config.ts'

/*
 * Slots of the networks that a change of the BGP configuration belongs to. Lists of the device's own LANs and segments
 * (OWN, DYNAMIC, CONNECTED) change with the device and with other networks, so they count for none.
 */

const LIST = /^(?:ip prefix-list (?:ROWS|SYSTEM|SOFTWARE|PEER)|bgp community-list \w+ NETWORK)-(\d+)/
const MAP = /^(?:IN|OUT|ROWS)-(\d+)/

/** Slots of the neighbours that go. */
export const leavingSlots = (from: BgpConfig, to: BgpConfig): number[] =>
  unique(leavingNeighbors(from, to).map((address) => slotOf(from.router?.neighbors.get(address))))

/** Slots of everything else that differs. */
export function joiningSlots(from: BgpConfig, to: BgpConfig): number[] {
  const lists = differing(from.lists, to.lists).map((key) => LIST.exec(key)?.[1])
  const maps = differing(from.maps, to.maps).map((key) => MAP.exec(key)?.[1])
  const kept = new Map(
    [...(from.router?.neighbors ?? [])].filter(([address]) => to.router?.neighbors.has(address) === true),
  )
  const sessions = differing(kept, to.router?.neighbors ?? new Map<string, Neighbor>())
  return unique([
    ...[...lists, ...maps].map((slot) => (slot === undefined ? null : Number(slot))),
    ...sessions.map((address) => slotOf(to.router?.neighbors.get(address))),
  ])
}

/** A neighbour names the maps of its network. */
function slotOf(neighbor: Neighbor | undefined): number | null {
  const [, slot] = /route-map IN-(\d+)-/.exec(neighbor?.family.join('\n') ?? '') ?? []
  return slot === undefined ? null : Number(slot)
}

function differing<T>(from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>): string[] {
  const keys = [...new Set([...from.keys(), ...to.keys()])]
  return keys.filter((key) => JSON.stringify(from.get(key)) !== JSON.stringify(to.get(key)))
}

const unique = (slots: readonly (number | null)[]): number[] =>
  [...new Set(slots.filter((slot) => slot !== null))].toSorted((a, b) => a - b)
