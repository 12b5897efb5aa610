import { coversNetwork } from '../../worker/contract/permissions.ts'
import type { Viewer } from '../../worker/contract/hubs.ts'
import { CONFIG_PUSH } from '../../worker/contract/limits.ts'
import type { HubFrame } from '../../worker/contract/protocol.ts'
import { configView } from './config-push.ts'
import { emptyDocument, hashDocument } from './database.ts'
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

/** The empty document for a device whose router is deleted, above every version it knows; null where it runs nothing. */
export function toEmptyConfigFrame({ router, config }: RouterState): Extract<HubFrame, { t: 'config' }> | null {
  if (!router || (config.applied === null && config.version === 0)) return null
  const body = emptyDocument(router.routerName)
  const hash = hashDocument(body)
  if (config.applied?.hash === hash) return null
  const version = Math.max(config.version, config.applied?.version ?? 0) + 1
  return { t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds }
}
