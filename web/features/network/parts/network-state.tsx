import { NETWORK_STATUS } from '../../../../worker/contract/limits.ts'
import { Glyph } from '../../../ui/glyph.tsx'
import { statusName } from '../network-text.ts'

/** 有效 or 已停用 (network 2). */
export function NetworkState({ status }: { readonly status: number }) {
  const isInUse = status === NETWORK_STATUS.normal
  return (
    <span className="nl-light">
      <Glyph shape={isInUse ? 'tick' : 'dash'} tone={isInUse ? 'ok' : 'bad'} />
      {statusName(status)}
    </span>
  )
}
