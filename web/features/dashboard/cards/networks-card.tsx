import { Link } from 'react-router'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { NOT_APPLIED_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import { countOpened } from '#domain/health/link.ts'
import { sumStates, toStateShares } from '#domain/health/member.ts'
import { countText } from '#lib/format/format-unit.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { useGrants } from '#lib/session/session.ts'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { HealthBadge } from '#ui/state/status-badge.tsx'
import { LinkRatio, Ratio } from '#ui/table/count-cells.tsx'
import { NarrowedPanel, ROWS_SHOWN } from './card-rows.tsx'
import { availabilityText, worstFirst } from './network-severity.ts'
import styles from './networks-card.module.css'
import type { CardProps, OverviewNetwork } from './status-parts.ts'

/* Card of the networks: health, members, links, configuration and availability of each. */

const COLUMNS = ['组网', '状态', '中心点', '成员在线', '链路', '配置生效', '24 小时可用率'] as const

export function NetworksCard({ overview: { networks }, isStale, narrowing }: CardProps) {
  const grants = useGrants()
  const isNarrowed = narrowing?.kind === 'networks'
  const found = worstFirst(isNarrowed ? networks.filter(narrowing.hasNetwork) : networks)
  const shown = isNarrowed ? found : found.slice(0, ROWS_SHOWN)
  return (
    <NarrowedPanel
      title="组网健康"
      words={isNarrowed ? narrowing.words : null}
      more={<MoreLink to={paths.networks()} of="组网" />}
    >
      {networks.length === 0 ? (
        <p className={styles.none}>
          暂无组网，创建组网后分支与终端即可互联
          {isAllowed('network:create', grants) && <Link to={paths.createNetwork}>创建组网</Link>}
        </p>
      ) : shown.length === 0 ? (
        <p className={styles.none}>没有此类组网</p>
      ) : (
        <table className={styles.table} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {COLUMNS.map((title) => (
                <th key={title} role="columnheader" scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((network) => (
              <NetworkRow key={network.network_number} network={network} isStale={isStale} />
            ))}
          </tbody>
        </table>
      )}
      {!isNarrowed && found.length > shown.length && (
        <p className={styles.more}>
          共 {countText(found.length)} 个，仅列出最需关注的 {shown.length} 个
        </p>
      )}
    </NarrowedPanel>
  )
}

export function NetworkRow({ network, isStale }: { network: OverviewNetwork; isStale: boolean }) {
  const { network_number, network_name, live, health, software_offline, availability, availability_ms } = network
  const isGuess = live === 0 && health.state === 'ok' // its unknown links may be down
  const { centers, members, single_center, config } = health
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <Link to={paths.network(network_number)} state={withLinkedName(network_name)}>
          {network_name}
        </Link>
      </th>
      <td role="cell" className={styles.health}>
        <HealthBadge health={isGuess ? null : health} stale={isStale} />
        {health.state === 'suspended' && <small className={styles.suspended}>{health.cause}</small>}
      </td>
      <td role="cell" data-label="中心">
        <Ratio of={centers.up} total={centers.total} isLacking={centers.up < centers.total} />
      </td>
      <td role="cell" data-label="成员" className={styles.members}>
        <Ratio of={members.online + members.reconnecting} total={sumStates(members)} />
        <MemberBar
          label={`${network_name}的成员`}
          states={toStateShares(members, software_offline)}
          isStale={isStale}
        />
      </td>
      <td role="cell" data-label="链路">
        {live === 1 ? <LinkRatio of={countOpened(health.links)} /> : '—'}
        {single_center > 0 && (
          <small>
            {SINGLE_CENTER_WORD} {countText(single_center)}
          </small>
        )}
      </td>
      <td role="cell" data-label="配置">
        <Ratio of={config.applied} total={config.total} noneWord={NOT_APPLIED_WORD} />
      </td>
      <td role="cell" data-label="可用率">
        {availability === null ? (
          <Tooltip focusable content={live === 0 ? SENTENCE.stateUnknown : '没有上线过的中心点，不计可用率'}>
            —
          </Tooltip>
        ) : (
          availabilityText({ availability, availability_ms })
        )}
      </td>
    </tr>
  )
}
