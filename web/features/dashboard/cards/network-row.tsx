import { Link } from 'react-router'
import { SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { countOpened } from '#domain/health/link.ts'
import { toStateShares, sumStates } from '#domain/health/member.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { HealthBadge } from '#ui/state/status-badge.tsx'
import { availabilityText } from './network-order.ts'
import type { OverviewNetwork } from './status-parts.ts'
import styles from './networks-card.module.css'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { Ratio } from '#ui/table/count-cells.tsx'

interface NetworkRowProps {
  readonly network: OverviewNetwork
  readonly isStale: boolean
}

export function NetworkRow({ network, isStale }: NetworkRowProps) {
  const { network_number, network_name, network_status, live, health, software_offline, availability } = network
  const isGuess = live === 0 && health.state === 'ok' // its links may say otherwise
  const { centers, members, single_center, config } = health
  const opened = countOpened(health.links)
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <Link to={paths.network(network_number)}>{network_name}</Link>
        {network_status === NETWORK_STATUS.overQuota && <em>已停用</em>}
      </th>
      <td role="cell" className={styles.health}>
        <HealthBadge health={isGuess ? null : health} stale={isStale} />
      </td>
      <td role="cell" data-label="中心">
        <Ratio of={centers.up} total={centers.total} isLacking={centers.up < centers.total} />
      </td>
      <td role="cell" data-label="成员" className={styles.members}>
        <Ratio of={members.online} total={sumStates(members)} />
        <MemberBar
          label={`${network_name}的成员`}
          states={toStateShares(members, software_offline)}
          isStale={isStale}
        />
      </td>
      <td role="cell" data-label="链路">
        {live === 1 ? <Ratio of={opened.up} total={opened.total} isLacking={opened.up < opened.total} /> : '—'}
        {single_center > 0 && (
          <small>
            {SINGLE_CENTER_WORD} {countText(single_center)}
          </small>
        )}
      </td>
      <td role="cell" data-label="配置">
        <Ratio of={config.applied} total={config.total} />
      </td>
      <td role="cell" data-label="可用率">
        {availabilityText(availability)}
      </td>
    </tr>
  )
}
