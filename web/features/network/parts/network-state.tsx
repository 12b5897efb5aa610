import { NETWORK_STATUS } from '../../../../worker/contract/limits.ts'
import { Icon } from '../../../ui/icon.tsx'
import { statusName } from '../network-text.ts'

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
