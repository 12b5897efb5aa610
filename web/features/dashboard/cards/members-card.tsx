import { Link } from 'react-router'
import type { Overview } from '#contract/overview/index.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import { type StateCount, toStateShares, sumStates } from '#domain/health/member.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { MemberBar } from '#ui/member/member-bar.tsx'
import { MoreLink } from '#ui/layout/buttons/more-link.tsx'
import { StatusBadge } from '#ui/state/status-badge.tsx'
import styles from './members-card.module.css'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/** Card of the members by kind and state. */
export function MembersCard({ members, isStale }: { members: Overview['members']; isStale: boolean }) {
  return (
    <Panel title="成员" actions={<MoreLink to={paths.routers()} of="成员" />}>
      <div className={styles.kinds}>
        <Kind name="硬件成员" type={ROUTER_TYPE.hardware} count={members.hardware} isStale={isStale} />
        <Kind
          name="软件成员"
          type={ROUTER_TYPE.software}
          count={members.software}
          max={members.software_max}
          isStale={isStale}
        />
      </div>
    </Panel>
  )
}

interface KindProps {
  readonly name: string
  readonly type: RouterType
  readonly count: StateCount
  readonly max?: number
  readonly isStale: boolean
}

function Kind({ name, type, count, max = 0, isStale }: KindProps) {
  const total = sumStates(count)
  const states = toStateShares(count, isOnDemand(type) ? count.offline : 0)
  return (
    <div className="nl-meter">
      <div>
        <span>{name}在线</span>
        <strong>
          {countText(count.online)}
          <small> / {countText(total)}</small>
        </strong>
      </div>
      <MemberBar label={name} states={states} isStale={isStale} />
      {total === 0 ? (
        <p className={styles.note}>暂无{name}</p>
      ) : (
        <ul className={`${styles.states} ${isStale ? styles.stale : ''}`}>
          {states.map(({ state, count: inState, isOnDemand: isResting }) => (
            <li key={state}>
              <Link to={paths.routers({ type, state })}>
                <StatusBadge state={state} isOnDemand={isResting} /> {countText(inState)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {max > 0 && <p className={styles.note}>上限 {countText(max)} 个</p>}
    </div>
  )
}
