import { PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import { CountChips } from '../../../ui/count-chips.tsx'
import { MEMBER_STATES, countStates } from '../../../../worker/domain/health/member.ts'
import type { Member } from '../projection.ts'

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
      chips={MEMBER_STATES.map((state) => ({ value: state, label: PRESENCE_WORD[state], count: count[state] }))}
      onChange={onChange}
    />
  )
}
