import type { RouterType } from '../../../../worker/contract/limits.ts'
import { FilterSwitch } from '../../../ui/filter-bar.tsx'
import type { ListState } from '../../../ui/use-list-state.ts'
import { type MemberState, type StateCounts, stateOptions } from '../member-filter.ts'

interface StateFilterProps {
  readonly list: ListState<'state'>
  readonly type: RouterType
  readonly chosen: MemberState
  readonly counts: StateCounts | undefined
}

/** Filter by state, with counts. */
export function StateFilter({ list, type, chosen, counts }: StateFilterProps) {
  return <FilterSwitch list={list} name="state" label="在线状态" options={stateOptions(type, counts, chosen)} />
}
