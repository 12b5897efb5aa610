import { coversNetwork } from '../../worker/contract/permissions.ts'
import type { Viewer } from '../../worker/contract/hubs.ts'
import { configView } from './config-push.ts'
import type { RouterState } from './machine.ts'
import { presenceView } from './presence.ts'
import type { TrafficStore } from './traffic-store.ts'

/** A viewer of the router's own account whose role covers a network the router is in. */
export function isAuthorized({ router }: RouterState, { accountId, grants }: Viewer): boolean {
  if (router?.accountId !== accountId) return false
  return grants.networks === null || router.networks.some(({ number }) => coversNetwork(grants, number))
}

// Frames to viewers of a router, without their head.

export function toRouterFrame({ presence, config }: RouterState) {
  return { type: 'router' as const, data: { presence: presenceView(presence), config: configView(config) } }
}

export function toHistoryFrame(log: TrafficStore) {
  const data = Object.fromEntries(Object.entries(log.points()).map(([name, points]) => [name, [...points]]))
  return { type: 'history' as const, data }
}

export function toLatestFrame(log: TrafficStore) {
  const newest = Object.entries(log.points()).flatMap(([name, points]) => {
    const point = points.at(-1)
    return point ? [[name, point] as const] : []
  })
  return { type: 'interface' as const, data: Object.fromEntries(newest) }
}
