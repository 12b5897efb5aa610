import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_TICKET } from '#contract/network/limits.ts'

/* Order of POP access while it is filled in: areas, years, bandwidth, and the area of each member. */

export type TicketConfig = Output<typeof networkApi.ticketConfig>

export interface Order {
  readonly areas: readonly number[]
  readonly years: number
  readonly bandwidth: number
  /** Area by member; a member without one is in the pool. */
  readonly areaOf: ReadonlyMap<string, number>
}

const NOBODY: Order['areaOf'] = new Map()

export function createOrder({ ticket }: TicketConfig): Order {
  const [area] = ticket.pop
  const { min, max } = ticket.bandwidth
  return {
    areas: area === undefined ? [] : [area.value],
    years: ticket.expired_time[0]?.value ?? 1,
    bandwidth: Math.min(max, Math.max(min, NETWORK_TICKET.bandwidthOffered[0])),
    areaOf: NOBODY,
  }
}

/** Adds an area, or removes it with its members; null for the last one, which cannot be removed. */
export function toggleArea(order: Order, area: number): Order | null {
  if (!order.areas.includes(area)) return { ...order, areas: [...order.areas, area] }
  const areas = order.areas.filter((value) => value !== area)
  if (areas.length === 0) return null
  return { ...order, areas, areaOf: new Map([...order.areaOf].filter(([, value]) => value !== area)) }
}

/** Moves members into an area; null puts them back into the pool. */
export function moveMembers(order: Order, names: Iterable<string>, area: number | null): Order {
  const areaOf = new Map(order.areaOf)
  for (const name of names) {
    if (area === null) areaOf.delete(name)
    else areaOf.set(name, area)
  }
  return { ...order, areaOf }
}

/** Puts all members back into the pool, as the way back from the last step does (network 2). */
export const returnMembers = (order: Order): Order => ({ ...order, areaOf: NOBODY })

/** Members of an area; null stands for the pool. */
export const listMembers = (order: Order, { member }: TicketConfig, area: number | null): TicketConfig['member'] =>
  member.filter(({ router_name }) => (order.areaOf.get(router_name) ?? null) === area)

export const toPopConf = (order: Order): Record<string, string[]> =>
  Object.fromEntries(
    order.areas.map((area) => [
      String(area),
      [...order.areaOf].filter(([, value]) => value === area).map(([name]) => name),
    ]),
  )
