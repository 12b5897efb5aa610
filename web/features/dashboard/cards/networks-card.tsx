import { Link } from 'react-router'
import type { Overview } from '#contract/overview/index.ts'
import { useGrants } from '#lib/session/session.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { worstFirst } from './network-order.ts'
import type { Narrowing } from './status-parts.ts'
import { ROWS_SHOWN } from './more-rows.tsx'
import { NarrowedPanel } from './narrowed-panel.tsx'
import { NetworkRow } from './network-row.tsx'
import styles from './networks-card.module.css'

interface NetworksCardProps {
  readonly overview: Pick<Overview, 'networks'>
  readonly isStale: boolean
  readonly narrowing: Narrowing | null
}

const COLUMNS = ['组网', '状态', '中心点', '成员在线', '链路', '配置生效', '24 小时可用率'] as const

/** Health of the networks, a row each, the worst first. */
export function NetworksCard({ overview: { networks }, isStale, narrowing }: NetworksCardProps) {
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
