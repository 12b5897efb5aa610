import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { MEMBER_STATES, type StateCount } from '#domain/health/member.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { FilterSwitch, SearchBox } from '#ui/table/filter-bar.tsx'
import type { ListState } from '#ui/table/use-list-state.ts'
import { KINDS } from './picker-view.ts'
import type { MemberOption } from './picker.ts'
import styles from './member-picker.module.css'

type PickerList = ListState<'kind' | 'part' | 'state'>

interface PickerToolsProps {
  readonly list: PickerList
  readonly options: readonly MemberOption[]
  /** Number of options that are chosen; null where the chosen are not counted apart. */
  readonly chosen: number
  /** Number of options that overlap. */
  readonly overlapping: number
  /** Counts by state, of what the other filters leave. */
  readonly states: StateCount
  readonly total: number
}

/** Search and filters above the table of candidates. */
export function PickerTools({ list, options, chosen, overlapping, states, total }: PickerToolsProps) {
  const countType = (type: number) => options.filter(({ routerType }) => routerType === type).length
  const hasOverlaps = overlapping > 0 || list.filters.part === 'overlap'
  return (
    <div className={styles.tools} role="search">
      <SearchBox label="搜索备注、序列号、账号或网段" value={list.search} onChange={list.setSearch} />
      <FilterSwitch
        list={list}
        name="kind"
        label="成员类型"
        options={[
          { value: '', label: '全部类型' },
          { value: 'hardware', label: '硬件', count: countType(KINDS.hardware) },
          { value: 'software', label: '软件', count: countType(KINDS.software) },
        ]}
      />
      <FilterSwitch
        list={list}
        name="part"
        label="选择情况"
        options={[
          { value: '', label: '全部' },
          { value: 'chosen', label: '已选', count: chosen },
          { value: 'free', label: '未选', count: options.length - chosen },
          ...(hasOverlaps ? [{ value: 'overlap', label: '网段冲突', count: overlapping }] : []),
        ]}
      />
      <CountChips<string>
        label="按状态筛选成员"
        value={list.filters.state}
        total={total}
        chips={MEMBER_STATES.map((state) => ({ value: state, label: PRESENCE_WORD[state], count: states[state] }))}
        onChange={(state) => list.setFilter('state', state)}
      />
    </div>
  )
}
