import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkApi } from '#contract/network/index.ts'
import { AREAS_REQUIRED } from '#contract/network/pop.ts'

/* Order of POP access while it is filled in: areas, years, bandwidth, and the area of each member. */

export type TicketConfig = Output<typeof networkApi.ticketConfig>

export interface Order {
  readonly areas: readonly number[]
  /** Null until chosen, as `bandwidth`: nobody orders what he did not choose. */
  readonly years: number | null
  readonly bandwidth: number | null
  /** Area by member; a member without one is in the pool. */
  readonly areaOf: ReadonlyMap<string, number>
}

const NOBODY: Order['areaOf'] = new Map()

export const EMPTY_ORDER: Order = { areas: [], years: null, bandwidth: null, areaOf: NOBODY }

/** Sentences on what is not chosen yet. */
export const missingIn = ({ areas, years, bandwidth }: Order) => ({
  ...(areas.length === 0 && { areas: AREAS_REQUIRED }),
  ...(years === null && { years: '请选择有效期' }),
  ...(bandwidth === null && { bandwidth: '请选择带宽' }),
})

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
