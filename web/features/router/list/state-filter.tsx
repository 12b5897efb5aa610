import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import type { ListState } from '#ui/table/use-list-state.ts'
import { type MemberState, type StateCounts, stateChips, totalOf } from './member-filter.ts'
import type { RouterType } from '#contract/router/limits.ts'

interface StateFilterProps {
  readonly list: ListState<'state'>
  readonly type: RouterType
  readonly chosen: MemberState
  readonly counts: StateCounts | undefined
}

/** Filter by state, with counts. */
export function StateFilter({ list, type, chosen, counts }: StateFilterProps) {
  return (
    <CountChips
      label="在线状态"
      value={chosen}
      total={totalOf(counts)}
      chips={stateChips(type, counts)}
      onChange={(state) => list.setFilter('state', state)}
    />
  )
}
