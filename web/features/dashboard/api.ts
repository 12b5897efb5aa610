import { announcementsApi } from '../../../worker/contract/announcements.ts'
import { ROUTER_TYPE, STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { useQuery, useRefresh } from '../../lib/use-endpoint.ts'

const polled = (isPolled: boolean) => ({ pollMs: isPolled ? STATUS_POLL_MS : 0 })

export const useAnnouncements = () => useQuery(announcementsApi.lists, { page: 1 })
export const useLatestNetworks = () => useQuery(networkApi.lists, { page: 1 })
export const useNetworkQuota = () => useQuery(networkApi.config, {})
export const useRouterQuantity = (isPolled: boolean) => useQuery(routerApi.quantity, {}, polled(isPolled))

/** Routers that flap, or whose configuration failed or is out of sync. */
export const useRoutersInTrouble = (isPolled: boolean) =>
  useQuery(routerApi.lists, { page: 1, type: ROUTER_TYPE.hardware, state: 'attention' }, polled(isPolled))

/** Reads again what depends on presence. */
export function useRefreshPresence(): () => void {
  const refresh = useRefresh()
  return () => refresh([routerApi.quantity, routerApi.lists, networkApi.lists])
}
