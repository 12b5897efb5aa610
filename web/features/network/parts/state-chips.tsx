import type { PresenceState } from '../../../../worker/contract/protocol.ts'
import { PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import { CountChips } from '../../../ui/count-chips.tsx'
import { countStates, type Member } from '../projection.ts'

const ORDER: readonly PresenceState[] = ['online', 'reconnecting', 'offline', 'flapping', 'never', 'disabled']

interface StateChipsProps {
  readonly members: readonly Member[]
  readonly value: string
  readonly onChange: (state: string) => void
}

/** Counts by state; a click filters. */
export function StateChips({ members, value, onChange }: StateChipsProps) {
  const count = countStates(members)
  return (
    <CountChips<string>
      label="按状态筛选成员"
      value={value}
      total={members.length}
      chips={ORDER.map((state) => ({ value: state, label: PRESENCE_WORD[state], count: count[state] }))}
      onChange={onChange}
    />
  )
}
