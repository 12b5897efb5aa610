import { useMemo } from 'react'
import type { Output } from '../../../worker/contract/endpoint.ts'
import { NETWORK_STATUS } from '../../../worker/contract/limits.ts'
import type { networkApi } from '../../../worker/contract/network.ts'
import type { ApiError } from '../../lib/call.ts'
import { useMemberCandidates, useNetworkInfo, useNetworkQuota } from './api.ts'
import { toMemberOptions } from './member-options.ts'
import type { MemberOption, PickerQuota } from './picker.ts'
import type { Member, NetworkInfo } from './projection.ts'

const NO_MEMBERS: readonly Member[] = []

export interface PlanData {
  /** Null for a new network. */
  readonly network: NetworkInfo | null
  readonly known: ReadonlyMap<string, MemberOption>
  readonly quota: PickerQuota
}

const toPickerQuota = (quota: Output<typeof networkApi.config>, network: NetworkInfo | null): PickerQuota => ({
  members: quota.network_router_count,
  membersUsed: quota.network_router_use,
  centers: quota.network_center_count,
  isSuspended: network !== null && network.network_status !== NETWORK_STATUS.normal,
})

/** What the form needs: the network (unless it is new), the quota, and the members that may be chosen. */
export function usePlanData(networkNumber: string): {
  readonly data: PlanData | null
  readonly error: ApiError | undefined
  /** Reads everything again; resolves to the network. */
  readonly reload: () => Promise<NetworkInfo | undefined>
} {
  const isNew = networkNumber === ''
  const info = useNetworkInfo(isNew ? null : networkNumber)
  const config = useNetworkQuota()
  const offered = useMemberCandidates()

  const network = isNew ? null : info.data?.data
  const quota = config.data?.data
  const candidates = offered.data?.data
  const members = network?.member ?? NO_MEMBERS
  const known = useMemo(() => candidates && toMemberOptions(candidates, members), [candidates, members])
  const isReady = network !== undefined && quota !== undefined && known !== undefined
  return {
    data: isReady ? { network, known, quota: toPickerQuota(quota, network) } : null,
    error: [info, config, offered].find((query) => query.error !== undefined)?.error,
    reload: async () => {
      const [latest] = await Promise.all([isNew ? undefined : info.mutate(), config.mutate(), offered.mutate()])
      return latest?.data
    },
  }
}
