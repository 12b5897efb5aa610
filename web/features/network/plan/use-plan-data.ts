import { NETWORK_STATUS } from '#contract/network/limits.ts'
import type { networkConfig } from '#contract/network/views.ts'
import { useChoices, useNetworkInfo, useNetworkQuota, useRefreshCandidates } from '../api.ts'
import type { NetworkInfo } from '../live-network.ts'
import type { PickerQuota } from './picker/member-plan.ts'

/* Data of the form of a network's members: the network (unless it is new), its members, and the quota. */

export type PlanData = NonNullable<ReturnType<typeof usePlanData>['data']>

export const toPickerQuota = (quota: typeof networkConfig._output, network: NetworkInfo | null): PickerQuota => ({
  members: quota.network_router_count,
  membersUsed: quota.network_router_use,
  centers: quota.network_center_count,
  isSuspended: network !== null && network.network_status !== NETWORK_STATUS.normal,
})

/** Members of a network as candidates, with their segments and other networks; a new network has none. */
export const useInsideMembers = (networkNumber: string) => useChoices([], networkNumber === '' ? [] : [networkNumber])

/** The network is null if it is new. */
export function usePlanData(networkNumber: string) {
  const isNew = networkNumber === ''
  const info = useNetworkInfo(isNew ? null : networkNumber)
  const config = useNetworkQuota()
  const inside = useInsideMembers(networkNumber)
  const refresh = useRefreshCandidates()
  const network = isNew ? null : info.data?.data
  const quota = config.data?.data
  const isReady = network !== undefined && quota !== undefined && (isNew || inside.data !== undefined)
  return {
    data: isReady ? { network, inside: inside.data?.data, quota: toPickerQuota(quota, network) } : null,
    error: [info, config, inside].find((query) => query.error !== undefined)?.error,
    /** Reads everything again; resolves to the network. */
    reload: async () => {
      refresh()
      const [latest] = await Promise.all([isNew ? undefined : info.mutate(), config.mutate()])
      return latest?.data
    },
  }
}
