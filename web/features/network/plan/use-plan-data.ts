import { useMemo } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { useMemberCandidates, useNetworkInfo, useNetworkQuota } from '../api.ts'
import { type MemberOption, type PickerQuota, UNKNOWN_MEMBER } from './picker/member-plan.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import type { networkConfig } from '#contract/network/views.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { byLabel } from '../network-order.ts'

/* Data of the form of a network's members: the network (unless it is new), the quota, and the candidates. */

const NO_MEMBERS: readonly Member[] = []

export type PlanData = NonNullable<ReturnType<typeof usePlanData>['data']>

export const toPickerQuota = (quota: typeof networkConfig._output, network: NetworkInfo | null): PickerQuota => ({
  members: quota.network_router_count,
  membersUsed: quota.network_router_use,
  centers: quota.network_center_count,
  isSuspended: network !== null && network.network_status !== NETWORK_STATUS.normal,
})

type Offered = Output<typeof routerApi.member>

/** Members that may be chosen and members already in the network, by router_name: hardware first, sorted by label. */
function toMemberOptions(offered: Offered, members: readonly Member[]): ReadonlyMap<string, MemberOption> {
  // The server limits the number of candidates; other members are known only from the network's own rows.
  const inside: MemberOption[] = members.map(({ router_name, note, router_type: routerType, presence }) => ({
    ...UNKNOWN_MEMBER,
    router_name,
    note,
    routerType,
    presence,
  }))
  const kinds = [
    [ROUTER_TYPE.hardware, offered.router],
    [ROUTER_TYPE.software, offered.app],
  ] as const
  const outside: MemberOption[] = kinds.flatMap(([routerType, candidates]) =>
    candidates.map((candidate) => ({ ...candidate, routerType })),
  )
  const all = [...new Map([...inside, ...outside].map((option) => [option.router_name, option])).values()]
  const sorted = all.toSorted(
    (a, b) =>
      a.routerType - b.routerType ||
      byLabel.compare(memberLabel(a), memberLabel(b)) ||
      (a.router_name < b.router_name ? -1 : 1),
  )
  return new Map(sorted.map((option) => [option.router_name, option]))
}

/** Candidates and members of a network with live states; undefined until they are read. */
export function useMemberOptions(network: NetworkInfo | null) {
  const offered = useMemberCandidates()
  const isStale = usePresenceRefresh({ everyMs: STATUS_POLL_MS, read: () => offered.mutate() }) === 'down'
  const candidates = offered.data?.data
  const members = network?.member ?? NO_MEMBERS
  const known = useMemo(() => candidates && toMemberOptions(candidates, members), [candidates, members])
  return { known, isStale, offered }
}

/** The network is null if it is new. */
export function usePlanData(networkNumber: string) {
  const isNew = networkNumber === ''
  const info = useNetworkInfo(isNew ? null : networkNumber)
  const config = useNetworkQuota()
  const network = isNew ? null : info.data?.data
  const quota = config.data?.data
  const { known, isStale, offered } = useMemberOptions(network ?? null)
  const isReady = network !== undefined && quota !== undefined && known !== undefined
  return {
    data: isReady ? { network, known, quota: toPickerQuota(quota, network), isStale } : null,
    error: [info, config, offered].find((query) => query.error !== undefined)?.error,
    /** Reads everything again; resolves to the network. */
    reload: async () => {
      const [latest] = await Promise.all([isNew ? undefined : info.mutate(), config.mutate(), offered.mutate()])
      return latest?.data
    },
  }
}
