import { Link } from 'react-router'
import type { AttentionRow } from '../../../../worker/contract/health.ts'
import { paths } from '../../../lib/paths.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SinceText, TimeText } from '../../../ui/time-text.tsx'
import type { OverviewQuery } from '../api.ts'
import { Card } from './card.tsx'
import { NoRows, Rows } from './rows.tsx'

/** Everything that is not well, by severity, then age. */
export function AttentionCard({ query }: { readonly query: OverviewQuery }) {
  return (
    <Card title="需要关注" more={paths.routers({ state: 'attention' })} query={query}>
      {({ data: { at, attention } }) =>
        attention.count === 0 ? (
          <NoRows>
            <Icon shape="tick" tone="ok" />
            <span>
              全部正常 · 更新于 <TimeText at={at} />
            </span>
          </NoRows>
        ) : (
          <Rows rows={attention.rows} total={{ count: attention.count, unit: '项' }}>
            {(row) => (
              <li key={`${row.kind} ${JSON.stringify(row.target)} ${row.name}`}>
                <Icon shape={row.level === 'bad' ? 'ring' : 'half'} tone={row.level} />
                <Link to={pathOf(row)}>{row.name}</Link>
                <span>{row.cause}</span>
                {row.since !== null && (
                  <span>
                    <SinceText at={row.since} />
                  </span>
                )}
              </li>
            )}
          </Rows>
        )
      }
    </Card>
  )
}

function pathOf({ target }: AttentionRow): string {
  if (target.type === 'router') return paths.router(target.router_name ?? '')
  if (target.network_number !== null) return paths.network(target.network_number)
  return paths.services
}
