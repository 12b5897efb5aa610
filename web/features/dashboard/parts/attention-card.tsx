import { Link } from 'react-router'
import type { SWRResponse } from 'swr'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import type { routerApi } from '../../../../worker/contract/router.ts'
import type { ApiError, Reply } from '../../../lib/call.ts'
import { countText } from '../../../lib/format-unit.ts'
import type { LiveState } from '../../../lib/live.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Card } from './card.tsx'

const SHOWN = 5

interface AttentionCardProps {
  readonly query: SWRResponse<Reply<Output<typeof routerApi.lists>>, ApiError>
  readonly channel: LiveState
}

/** Members that flap, or whose configuration did not arrive. */
export function AttentionCard({ query, channel }: AttentionCardProps) {
  return (
    <Card title="需要关注" more="/router/lists?state=attention" query={query}>
      {({ data, count }) =>
        data.length === 0 ? (
          <p className="nl-calm">
            <Icon shape="tick" tone="ok" />
            没有状态抖动或配置异常的成员
          </p>
        ) : (
          <>
            <ul className="nl-rows">
              {data.slice(0, SHOWN).map(({ router_name, note, presence, config }) => (
                <li key={router_name}>
                  <Link to={`/router/detail?${new URLSearchParams({ router_name })}`}>{note || router_name}</Link>
                  <span>{config.reason || presence.reason}</span>
                  <StatusBadge
                    state={presence.state}
                    reason={presence.reason}
                    since={presence.since}
                    lastSeen={presence.last_seen}
                    stale={channel === 'down'}
                  />
                </li>
              ))}
            </ul>
            {count > SHOWN && <p className="nl-rows-more">共 {countText(count)} 个成员</p>}
          </>
        )
      }
    </Card>
  )
}
