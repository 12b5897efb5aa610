import { useMemo } from 'react'
import type { Output } from '../../../worker/contract/endpoint.ts'
import { NETWORK_STATUS } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import type { ApiError } from '../../lib/call.ts'
import { useQuery } from '../../lib/use-endpoint.ts'
import { choicesOf } from './choices.ts'
import type { Choice, PickerRoom } from './picker.ts'
import type { Member, NetworkInfo } from './projection.ts'

const STEADY = { quiet: true } as const // the page shows its failures itself
const NOBODY: readonly Member[] = []

export interface PlanData {
  /** Null for a network that is still to be. */
  readonly network: NetworkInfo | null
  readonly known: ReadonlyMap<string, Choice>
  readonly room: PickerRoom
}

const roomOf = (quota: Output<typeof networkApi.config>, network: NetworkInfo | null): PickerRoom => ({
  seats: quota.network_router_count,
  seatsUsed: quota.network_router_use,
  centers: quota.network_center_count,
  isSuspended: network !== null && network.network_status !== NETWORK_STATUS.normal,
})

/** All that planning a network needs: its rows (unless it is new), the quota, and who may be chosen. */
export function usePlanData(networkNumber: string): {
  readonly data: PlanData | null
  readonly error: ApiError | undefined
  /** Reads everything again; resolves to the network. */
  readonly reload: () => Promise<NetworkInfo | undefined>
} {
  const isNew = networkNumber === ''
  const info = useQuery(networkApi.info, isNew ? null : { network_number: networkNumber }, STEADY)
  const config = useQuery(networkApi.config, {}, STEADY)
  const offered = useQuery(routerApi.member, {}, STEADY)

  const network = isNew ? null : info.data?.data
  const quota = config.data?.data
  const candidates = offered.data?.data
  const members = network?.member ?? NOBODY
  const known = useMemo(() => candidates && choicesOf(candidates, members), [candidates, members])
  const isReady = network !== undefined && quota !== undefined && known !== undefined
  return {
    data: isReady ? { network, known, room: roomOf(quota, network) } : null,
    error: [info, config, offered].find((query) => query.error !== undefined)?.error,
    reload: async () => {
      const [latest] = await Promise.all([isNew ? undefined : info.mutate(), config.mutate(), offered.mutate()])
      return latest?.data
    },
  }
}
