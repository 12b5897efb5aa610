import { NETWORK_STATUS } from '../../../../worker/contract/limits.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { statusName, withdrawalText } from '../network-text.ts'

/** 有效 or 已停用 (network 2): the contract, which says nothing of the health. */
export function NetworkState({ status }: { readonly status: number }) {
  const isInUse = status === NETWORK_STATUS.normal
  return (
    <span className="nl-status">
      <Icon shape={isInUse ? 'tick' : 'dash'} tone={isInUse ? 'idle' : 'bad'} />
      {statusName(status)}
    </span>
  )
}

/** The same in a list, with what will happen to a suspended network. */
export function NetworkStateCell({
  status,
  suspendedAt,
}: {
  readonly status: number
  readonly suspendedAt: number | null
}) {
  const now = useNow()
  return (
    <>
      <NetworkState status={status} />
      {suspendedAt !== null && <div className="nl-muted">{withdrawalText(suspendedAt, now)}</div>}
    </>
  )
}
