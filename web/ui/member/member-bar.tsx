import type { PresenceState } from '#contract/kernel/protocol.ts'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { countText } from '#lib/format/format-unit.ts'
import './member-bar.css'

/* Bar of members by state. The numbers stand beside it; a screen reader reads them from the bar. */

interface StateShare {
  readonly state: PresenceState
  readonly count: number
  /** State of members that dial on demand: 离线 (offline) is no fault for them. */
  readonly isOnDemand: boolean
}

interface MemberBarProps {
  /** Name of the group, such as 硬件成员. */
  readonly label: string
  /** States with at least one member, in the order of the lists. */
  readonly states: readonly StateShare[]
  readonly isStale?: boolean
}

export function MemberBar({ label, states, isStale = false }: MemberBarProps) {
  const total = states.reduce((sum, { count }) => sum + count, 0)
  const numbers = states.map((share) => `${toWord(share, states)} ${countText(share.count)}`)
  return (
    <span
      className="nl-member-bar"
      role="img"
      aria-label={`${label}：${numbers.join('，') || '暂无'}`}
      data-stale={isStale}
    >
      {states.map(({ state, count, isOnDemand }) => (
        <span
          key={`${state} ${isOnDemand}`}
          data-state={state}
          data-on-demand={isOnDemand}
          style={{ flexGrow: count / total }}
        />
      ))}
    </span>
  )
}

/** Word of a state; names software if hardware has the same state. */
function toWord({ state, isOnDemand }: StateShare, all: readonly StateShare[]): string {
  const isBeside = isOnDemand && all.some((share) => share.state === state && !share.isOnDemand)
  return `${isBeside ? '软件' : ''}${PRESENCE_WORD[state]}`
}
