import { Link } from 'react-router'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import type { useRoutersInTrouble } from '../api.ts'
import { Card } from './card.tsx'
import { NoRows, Rows } from './rows.tsx'

interface AttentionCardProps {
  readonly query: ReturnType<typeof useRoutersInTrouble>
  readonly isStale: boolean
}

/** Members that flap, or whose configuration failed or is out of sync. */
export function AttentionCard({ query, isStale }: AttentionCardProps) {
  return (
    <Card title="需要关注" more={paths.routers({ state: 'attention' })} query={query}>
      {({ data, count }) =>
        data.length === 0 ? (
          <NoRows>
            <Icon shape="tick" tone="ok" />
            没有状态抖动或配置异常的成员
          </NoRows>
        ) : (
          <Rows rows={data} total={{ count, unit: '个成员' }}>
            {({ router_name, note, presence, config }) => (
              <li key={router_name}>
                <Link to={paths.router(router_name)}>{memberLabel({ note, router_name })}</Link>
                <span>{config.reason || presence.reason}</span>
                <StatusBadge
                  state={presence.state}
                  reason={presence.reason}
                  since={presence.since}
                  lastSeen={presence.last_seen}
                  stale={isStale}
                />
              </li>
            )}
          </Rows>
        )
      }
    </Card>
  )
}
