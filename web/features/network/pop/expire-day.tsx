import { POP } from '#contract/network/limits.ts'

/** Term of a POP resource: red once it is over or within 7 days of it, amber within 30. */
export function ExpireDay({ days }: { readonly days: number }) {
  const tone = days === 0 ? 'past' : days <= POP.urgentDays ? 'urgent' : days <= POP.soonDays ? 'soon' : 'normal'
  return <span className={`nl-expiry nl-expiry-${tone}`}>{days === 0 ? '已过期' : `还有 ${days} 天`}</span>
}
