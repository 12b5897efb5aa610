import { Notice } from '#ui/state/notice.tsx'
import type { NetworkInfo } from '../projection.ts'
import { popExpiredText } from '../settings/setting-text.ts'

/** Above the fields of what is not in effect because the term of the POP resource is over. */
export function PopExpired({ info }: { readonly info: Pick<NetworkInfo, 'network_fr'> }) {
  const text = popExpiredText(info)
  return (
    text !== null && (
      <Notice tone="bad" role="status">
        {text}
      </Notice>
    )
  )
}
