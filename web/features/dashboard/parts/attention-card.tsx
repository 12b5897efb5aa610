import { Link } from 'react-router'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { Glyph } from '../../../ui/glyph.tsx'
import { StatusLight } from '../../../ui/status-light.tsx'
import type { useRoutersInTrouble } from '../api.ts'
import { Card } from './card.tsx'

const SHOWN = 5

interface AttentionCardProps {
  readonly query: ReturnType<typeof useRoutersInTrouble>
  readonly isStale: boolean
}

/** Members that flap, or whose configuration did not arrive. */
export function AttentionCard({ query, isStale }: AttentionCardProps) {
  return (
    <Card title="需要关注" more={paths.routers({ state: 'attention' })} query={query}>
      {({ data, count }) =>
        data.length === 0 ? (
          <p className="nl-calm">
            <Glyph shape="tick" tone="ok" />
            没有状态抖动或配置异常的成员
          </p>
        ) : (
          <>
            <ul className="nl-rows">
              {data.slice(0, SHOWN).map(({ router_name, note, presence, config }) => (
                <li key={router_name}>
                  <Link to={paths.router(router_name)}>{memberLabel({ note, router_name })}</Link>
                  <span>{config.reason || presence.reason}</span>
                  <StatusLight
                    state={presence.state}
                    reason={presence.reason}
                    since={presence.since}
                    lastSeen={presence.last_seen}
                    stale={isStale}
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
