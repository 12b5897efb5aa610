import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_STATUS, POP } from '#contract/network/limits.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { Icon } from '#ui/state/state-icon.tsx'
import { HealthBadge } from '#ui/state/status-badge.tsx'
import { statusName, withdrawalText } from '../network-text.ts'
import styles from './network-list.module.css'

/* Cells of the state of a network: contract, health, suspension, and days until its POP resource expires. */

/** State of the contract, in use (有效) or suspended (已停用), which says nothing about the health (network 2). */
export function NetworkState({ status }: { readonly status: number }) {
  const isInUse = status === NETWORK_STATUS.normal
  return (
    <span className="nl-status">
      <Icon shape={isInUse ? 'tick' : 'dash'} tone={isInUse ? 'idle' : 'bad'} />
      {statusName(status)}
    </span>
  )
}

export type NetworkRow = Output<typeof networkApi.lists>[number]

/** State in a list: the health above the contract, with the time at which a suspended network leaves its devices. */
export function NetworkStateCell({ row, isStale }: { readonly row: NetworkRow; readonly isStale: boolean }) {
  const now = useNow()
  return (
    <>
      <div>
        <HealthBadge health={row.health} stale={isStale} isSuspended={row.network_status !== NETWORK_STATUS.normal} />
      </div>
      <div className={styles.contract}>
        <NetworkState status={row.network_status} />
        {row.suspended_time !== null && ` · ${withdrawalText(row.suspended_time, now)}`}
        {row.fr_expire_day === 0 && (
          <>
            <span className={styles.between}> · </span>
            <span className="nl-expiry-past">POP资源已过期</span>
          </>
        )}
      </div>
    </>
  )
}

/** Days until a POP resource expires: red from 7 days before, amber from 30 days before. */
export function ExpireDay({ days }: { readonly days: number }) {
  const tone = days === 0 ? 'past' : days <= POP.urgentDays ? 'urgent' : days <= POP.soonDays ? 'soon' : 'normal'
  return <span className={`nl-expiry nl-expiry-${tone}`}>{days === 0 ? '已过期' : `还有 ${days} 天`}</span>
}
