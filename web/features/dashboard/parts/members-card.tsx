import { Link } from 'react-router'
import { ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import { MEMBER_STATES, type StateCount, sumStates } from '../../../../worker/domain/health/member.ts'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { CHANNEL_DOWN } from '../../../lib/live.ts'
import type { OverviewQuery } from '../api.ts'
import { Card } from './card.tsx'
import styles from './members-card.module.css'
import { Meter, Meters } from '../../../ui/meter.tsx'

interface MembersCardProps {
  readonly query: OverviewQuery
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
}

export function MembersCard({ query, isStale }: MembersCardProps) {
  const tone = isStale ? 'idle' : 'ok'
  return (
    <Card title="成员" more={paths.routers()} query={query}>
      {({ data: { members } }) => (
        <Meters>
          <Meter
            label="硬件成员在线"
            used={members.hardware.online}
            total={sumStates(members.hardware)}
            tone={tone}
            note={<OtherStates count={members.hardware} />}
          />
          <Meter
            label="软件成员在线"
            used={members.software.online}
            total={sumStates(members.software)}
            tone={tone}
            note={`上限 ${countText(members.software_max)} 个`}
          />
          {isStale && <p className={styles.stale}>{CHANNEL_DOWN}，以上为最近一次读取的状态</p>}
        </Meters>
      )}
    </Card>
  )
}

/** Whoever is not 在线, by state; each leads to the list of them. */
function OtherStates({ count }: { readonly count: StateCount }) {
  const total = sumStates(count)
  if (total === 0) return <>暂无硬件成员</>
  if (count.online === total) return <>全部在线</>
  const others = MEMBER_STATES.filter((state) => state !== 'online' && count[state] > 0)
  return others.map((state, n) => (
    <span key={state}>
      {n > 0 && ' · '}
      <Link to={paths.routers({ type: ROUTER_TYPE.hardware, state })}>
        {PRESENCE_WORD[state]} {countText(count[state])}
      </Link>
    </span>
  ))
}
