import { Link } from 'react-router'
import { NETWORK_STATUS } from '../../../../worker/contract/limits.ts'
import { sumStates } from '../../../../worker/domain/health/member.ts'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { NothingYet } from '../../../ui/states.tsx'
import { HealthBadge } from '../../../ui/status-badge.tsx'
import type { OverviewQuery } from '../api.ts'
import { Card } from './card.tsx'
import { Rows } from './rows.tsx'

interface NetworksCardProps {
  readonly query: OverviewQuery
  readonly isStale: boolean
}

const SEVERITY = { down: 0, partial: 1, ok: 2, never: 3 } as const

/** Networks with their health, the worst first. */
export function NetworksCard({ query, isStale }: NetworksCardProps) {
  return (
    <Card title="智能组网" more={paths.networks()} query={query}>
      {({ data: { networks } }) =>
        networks.length === 0 ? (
          <NothingYet
            title="暂无组网"
            hint="创建组网后，分支与终端即可互联"
            action={<Link to={paths.networks()}>前往创建</Link>}
          />
        ) : (
          <Rows
            rows={networks.toSorted((a, b) => SEVERITY[a.health.state] - SEVERITY[b.health.state])}
            total={{ count: networks.length, unit: '个组网' }}
          >
            {({ network_number, network_name, network_status, health }) => (
              <li key={network_number}>
                <Link to={paths.network(network_number)}>{network_name}</Link>
                {network_status === NETWORK_STATUS.overQuota && <em className="nl-tone-bad">已停用</em>}
                <HealthBadge health={health} stale={isStale} />
                <span>
                  在线 {countText(health.members.online)} / {countText(sumStates(health.members))}
                </span>
              </li>
            )}
          </Rows>
        )
      }
    </Card>
  )
}
