import { useMemo, useState } from 'react'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countStates, MEMBER_STATES, type StateCount } from '#domain/health/member.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { FilterSwitch, SearchBox } from '#ui/table/filter-bar.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { type ListState, useLocalListState } from '#ui/table/use-list-state.ts'
import styles from './member-picker.module.css'
import { isMatch, type MemberOption } from './member-plan.ts'

/* Rows and tools of the table in which members are chosen: filters, counts and order. */

/** Filters of the table but that of states; an empty one lets everything pass. */
type PickerFilter = Readonly<Record<'search' | 'kind' | 'part', string>>

interface PickerMarks {
  readonly roles: ReadonlyMap<string, 'center' | 'point'>
  readonly overlapping: ReadonlySet<string>
}

const KINDS = { hardware: ROUTER_TYPE.hardware, software: ROUTER_TYPE.software } as const

/** Options that pass all filters except that of states; its counts are taken from them. */
function filterOptions(
  options: readonly MemberOption[],
  { search, kind, part }: PickerFilter,
  marks: PickerMarks,
): readonly MemberOption[] {
  return options.filter(
    (option) =>
      (kind === '' || option.routerType === KINDS[kind as keyof typeof KINDS]) &&
      (part === '' || isInPart(part, option.router_name, marks)) &&
      (isMatch(option, search) || option.lan.some((segment) => segment.includes(search.trim()))),
  )
}

function isInPart(part: string, name: string, { roles, overlapping }: PickerMarks): boolean {
  if (part === 'overlap') return overlapping.has(name)
  return roles.has(name) === (part === 'chosen')
}

const RANK = { center: 0, point: 1 } as const

/** Sorts centres first, then points, then the rest; keeps the order within each. */
function chosenFirst(options: readonly MemberOption[], { roles }: PickerMarks): readonly MemberOption[] {
  const rank = ({ router_name }: MemberOption) => {
    const role = roles.get(router_name)
    return role === undefined ? 2 : RANK[role]
  }
  return options.toSorted((a, b) => rank(a) - rank(b))
}

const FILTERS = { kind: '', part: '', state: '' }

/**
 * Rows that the table shows. A choice moves no row: chosen rows move to the top, or drop out of a filter, only once search,
 * filter or page change.
 */
export function usePickerView(options: readonly MemberOption[], marks: PickerMarks) {
  const list = useLocalListState(FILTERS)
  const { page, limit, search } = list
  const { kind, part, state } = list.filters
  const key = [search, kind, part, state, page, limit].join('\n')
  const [seen, setSeen] = useState({ key, marks })
  if (seen.key !== key) setSeen({ key, marks })
  const shown = seen.key === key ? seen.marks : marks
  const found = useMemo(
    () => chosenFirst(filterOptions(options, { search, kind, part }, shown), shown),
    [options, search, kind, part, shown],
  )
  const rows = useMemo(
    () => (state === '' ? found : found.filter(({ presence }) => presence.state === state)),
    [found, state],
  )
  return { ...useClientPage(rows, list), rows, total: found.length, states: countStates(found) }
}

interface PickerToolsProps {
  readonly list: ListState<keyof typeof FILTERS>
  readonly options: readonly MemberOption[]
  readonly chosen: number
  readonly overlapping: number
  /** Counts by state of the options that pass the other filters. */
  readonly states: StateCount
  readonly total: number
}

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
