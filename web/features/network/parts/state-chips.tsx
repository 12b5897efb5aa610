import type { PresenceState } from '../../../../worker/contract/protocol.ts'
import { countText } from '../../../lib/format-unit.ts'
import { PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import { MEMBER_STATES, countStates } from '../../../../worker/domain/health/member.ts'
import type { Member } from '../projection.ts'
import styles from './state-chips.module.css'

const ALWAYS: ReadonlySet<PresenceState> = new Set(['online', 'offline'])

interface StateChipsProps {
  readonly members: readonly Member[]
  readonly value: string
  readonly onChange: (state: string) => void
}

/** Counts by state; a click filters. */
export function StateChips({ members, value, onChange }: StateChipsProps) {
  const count = countStates(members)
  const states = MEMBER_STATES.filter((state) => ALWAYS.has(state) || count[state] > 0)
  return (
    <div className={styles.chips} role="group" aria-label="按状态筛选成员">
      <button type="button" aria-pressed={value === ''} onClick={() => onChange('')}>
        共 {countText(members.length)}
      </button>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={value === state}
          onClick={() => onChange(value === state ? '' : state)}
        >
          {PRESENCE_WORD[state]} {countText(count[state])}
        </button>
      ))}
    </div>
  )
}
