import type { PresenceState } from '../../worker/contract/protocol.ts'
import { PRESENCE_WORD } from '../../worker/contract/states.ts'
import { countText } from '../lib/format-unit.ts'
import './member-bar.css'

interface MemberBarProps {
  /** Whose: 硬件成员. */
  readonly label: string
  /** States that somebody is in, in the order of the lists. */
  readonly states: readonly { readonly state: PresenceState; readonly count: number }[]
  readonly isStale?: boolean
  /** Of members that dial on demand: 离线 is no fault. */
  readonly isOnDemand?: boolean
}

/** Members by state as one bar. The numbers stand beside it; a screen reader hears them from it. */
export function MemberBar({ label, states, isStale = false, isOnDemand = false }: MemberBarProps) {
  const total = states.reduce((sum, { count }) => sum + count, 0)
  const numbers = states.map(({ state, count }) => `${PRESENCE_WORD[state]} ${countText(count)}`)
  return (
    <span
      className="nl-member-bar"
      role="img"
      aria-label={`${label}：${numbers.join('，') || '暂无'}`}
      data-stale={isStale}
      data-on-demand={isOnDemand}
    >
      {states.map(({ state, count }) => (
        <span key={state} data-state={state} style={{ flexGrow: count / total }} />
      ))}
    </span>
  )
}
