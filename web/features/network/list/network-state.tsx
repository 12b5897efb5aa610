import type { Output } from '#contract/kernel/endpoint.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_STATUS, POP } from '#contract/network/limits.ts'
import { suspensionVerdict } from '#domain/health/suspension.ts'
import { Icon } from '#ui/state/state-icon.tsx'
import { HealthBadge } from '#ui/state/status-badge.tsx'
import { statusName } from '../network-text.ts'
import styles from './network-list.module.css'

/* Cells of the state of a network: health, contract, and days until its POP resource expires. */

export type NetworkRow = Output<typeof networkApi.lists>[number]

/** Health of a listed network. A suspension stands in its row, and is known without the hub. */
function toVerdict({ health, network_status, suspended_time }: NetworkRow) {
  if (health !== null) return health
  const isSuspended = network_status !== NETWORK_STATUS.normal
  return suspensionVerdict({ isSuspended, suspendedAt: suspended_time, isWithdrawn: false }, null)
}

/** State in a list: the health above the contract (network 2), or above the date on which devices lose the network. */
export function NetworkStateCell({ row, isStale }: { readonly row: NetworkRow; readonly isStale: boolean }) {
  const health = toVerdict(row)
  return (
    <>
      <div>
        <HealthBadge health={health} stale={isStale} />
      </div>
      <div className={styles.contract}>
        {health?.state === 'suspended' ? (
          <span className="nl-expiry-past">{health.cause}</span>
        ) : (
          <span className="nl-status">
            <Icon shape="tick" tone="idle" />
            {statusName(row.network_status)}
          </span>
        )}
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
