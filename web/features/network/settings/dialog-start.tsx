import { useFormStart } from '#ui/form/use-form-start.ts'
import { useNetworkInfo } from '../api.ts'
import type { Member, NetworkInfo } from '../live-network.ts'

/* Start values of the dialogs of a network and its members, which can be read again. */

export function useInfoStart<V>(info: NetworkInfo, toValues: (info: NetworkInfo) => V) {
  const { mutate } = useNetworkInfo(info.network_number)
  return useFormStart(info, async () => (await mutate())?.data, toValues)
}

export function useMemberStart<V>({ network_number }: NetworkInfo, member: Member, toValues: (member: Member) => V) {
  const { mutate } = useNetworkInfo(network_number)
  const read = async () => (await mutate())?.data.member.find(({ router_name }) => router_name === member.router_name)
  return useFormStart(member, read, toValues)
}
