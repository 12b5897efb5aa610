import { Dialog } from '#ui/dialog/dialog.tsx'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { Loading } from '#ui/state/loading.tsx'
import { useNetworkInfo } from '../api.ts'
import type { Member, NetworkInfo } from '../projection.ts'

interface LoadedDialogProps {
  readonly title: string
  readonly query: { readonly error?: unknown; readonly mutate: () => Promise<unknown> }
  readonly onClose: () => void
}

/** Placeholder of a dialog while its data is read, or after the reading has failed. */
export function LoadedDialog({ title, query, onClose }: LoadedDialogProps) {
  return (
    <Dialog title={title} widthPx={480} onClose={onClose}>
      <Loading query={query} lines={4} />
    </Dialog>
  )
}

/** Start values of a dialog of the network, and reading them anew. */
export function useInfoStart<V>(info: NetworkInfo, toValues: (info: NetworkInfo) => V) {
  const { mutate } = useNetworkInfo(info.network_number)
  return useFormStart(info, async () => (await mutate())?.data, toValues)
}

export function useMemberStart<V>({ network_number }: NetworkInfo, member: Member, toValues: (member: Member) => V) {
  const { mutate } = useNetworkInfo(network_number)
  const read = async () => (await mutate())?.data.member.find(({ router_name }) => router_name === member.router_name)
  return useFormStart(member, read, toValues)
}
