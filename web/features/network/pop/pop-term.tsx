import { Notice } from '#ui/state/notice.tsx'
import { POP } from '#contract/network/limits.ts'
import type { NetworkInfo } from '../projection.ts'
import { popExpiredText } from '../settings/setting-text.ts'

/** Term of a POP resource: red once it is over or within 7 days of it, amber within 30. */
export function ExpireDay({ days }: { readonly days: number }) {
  const tone = days === 0 ? 'past' : days <= POP.urgentDays ? 'urgent' : days <= POP.soonDays ? 'soon' : 'normal'
  return <span className={`nl-expiry nl-expiry-${tone}`}>{days === 0 ? '已过期' : `还有 ${days} 天`}</span>
}

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
