import type { RouterType } from '../../../../worker/contract/limits.ts'
import { FilterSwitch } from '../../../ui/filter-bar.tsx'
import type { ListState } from '../../../ui/use-list-state.ts'
import { STATE_OPTIONS, stateCounts } from '../member-filter.ts'
import type { Quantity } from './member-counts.tsx'

interface StateFilterProps {
  readonly list: ListState<'state'>
  readonly type: RouterType
  readonly quantity: Quantity | undefined
}

/** Filter by state, with counts; they are of all members, so a search shows none. */
export function StateFilter({ list, type, quantity }: StateFilterProps) {
  const counts = list.search === '' ? stateCounts(quantity, type) : {}
  const options = STATE_OPTIONS[type].map((option) => ({ ...option, count: counts[option.value] }))
  return <FilterSwitch list={list} name="state" label="在线状态" options={options} />
}
