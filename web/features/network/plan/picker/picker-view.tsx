import { useMemo, useState, type ClipboardEvent } from 'react'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countStates, MEMBER_STATES, NO_MEMBERS, type StateCount } from '#domain/health/member.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { memberLabel } from '#lib/format/member-label.ts'
import { FilterSwitch, SearchBox } from '#ui/table/filter-bar.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import type { TableQuery } from '#ui/table/data-table.tsx'
import { byLabel } from '#pages/network/network-order.ts'
import styles from './member-picker.module.css'
import { isMatch, type MemberOption } from './member-plan.ts'
import { splitNames } from './pasted-names.ts'
import { FREE, isHeldByBrowser, type PickerList, type PickerMembers, toOptions } from './use-picker-members.ts'

/* Rows and tools of the table in which members are chosen: filters, counts and order. */

type PickerFilter = Readonly<Record<'search' | 'part', string>>

interface PickerMarks {
  readonly roles: ReadonlyMap<string, 'center' | 'point'>
  readonly overlapping: ReadonlySet<string>
  /** Names that are not offered. */
  readonly left: ReadonlySet<string>
}

const KINDS = { hardware: ROUTER_TYPE.hardware, software: ROUTER_TYPE.software } as const

const RANK = { center: 0, point: 1 } as const

/** Chosen or overlapping members that a search finds: centres first, then hardware, each by label. */
function findMarked(
  known: ReadonlyMap<string, MemberOption>,
  { search, part }: PickerFilter,
  { roles, overlapping, left }: PickerMarks,
): readonly MemberOption[] {
  const names = part === 'overlap' ? overlapping : roles
  const rank = ({ router_name }: MemberOption) => RANK[roles.get(router_name) ?? 'point']
  return [...names.keys()]
    .flatMap((name) => (left.has(name) ? [] : (known.get(name) ?? [])))
    .filter((option) => isMatch(option, search) || option.lan.some((segment) => segment.includes(search.trim())))
    .toSorted(
      (a, b) => rank(a) - rank(b) || a.routerType - b.routerType || byLabel.compare(memberLabel(a), memberLabel(b)),
    )
}

const countType = (options: readonly MemberOption[], type: number) =>
  options.filter(({ routerType }) => routerType === type).length

/**
 * Rows that the table shows: a page of the server, or the chosen and overlapping ones, which the browser holds. A choice
 * moves no row; a row drops out of its filter once search, filter or page change.
 */
export function usePickerView({ list, page: read, known }: PickerMembers, marks: PickerMarks) {
  const { page, limit, search } = list
  const { kind, part, state } = list.filters
  const key = [search, kind, part, state, page, limit].join('\n')
  const [seen, setSeen] = useState({ key, marks })
  if (seen.key !== key) setSeen({ key, marks })
  const shown = seen.key === key ? seen.marks : marks
  const found = useMemo(
    () => (isHeldByBrowser(part) ? findMarked(known, { search, part }, shown) : []),
    [known, search, part, shown],
  )
  const ofKind = useMemo(
    () => (kind === '' ? found : found.filter(({ routerType }) => routerType === KINDS[kind as keyof typeof KINDS])),
    [found, kind],
  )
  const rows = useMemo(
    () => (state === '' ? ofKind : ofKind.filter(({ presence }) => presence.state === state)),
    [ofKind, state],
  )
  const local = useClientPage(rows, list)
  const reply = read.data
  const remote = useMemo(
    (): TableQuery<MemberOption>['data'] => reply && { data: toOptions(reply.data), count: reply.count },
    [reply],
  )
  if (isHeldByBrowser(part))
    return {
      ...local,
      total: ofKind.length,
      states: countStates(ofKind),
      kinds: { hardware: countType(found, KINDS.hardware), software: countType(found, KINDS.software) },
    }
  const states = reply?.states ?? NO_MEMBERS
  return {
    query: { ...read, data: remote },
    list,
    total: MEMBER_STATES.reduce((sum, one) => sum + states[one], 0),
    states,
    kinds: reply?.kinds,
  }
}

interface PickerToolsProps {
  readonly list: PickerList
  readonly kinds: { readonly hardware: number; readonly software: number } | undefined
  readonly chosen: number
  readonly overlapping: number
  /** Counts by state of the members that pass the other filters. */
  readonly states: StateCount
  readonly total: number
  /** Opens the dialog for many names, with the text that was pasted into the search. */
  readonly onPaste: (text: string) => void
}

export function PickerTools(props: PickerToolsProps) {
  const { list, kinds, chosen, overlapping, states, total, onPaste } = props
  const hasOverlaps = overlapping > 0 || list.filters.part === 'overlap'
  const takeMany = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (splitNames(text).length < 2 || !/[\n,;，；、\t]/.test(text.trim())) return
    event.preventDefault() // an input of one line would join the lines
    onPaste(text)
  }
  return (
    <div className={styles.tools} role="search" onPaste={takeMany}>
      <SearchBox label="搜索备注、序列号、账号或网段" value={list.search} onChange={list.setSearch} />
      <FilterSwitch
        list={list}
        name="kind"
        label="成员类型"
        options={[
          { value: '', label: '全部类型' },
          { value: 'hardware', label: '硬件', ...(kinds && { count: kinds.hardware }) },
          { value: 'software', label: '软件', ...(kinds && { count: kinds.software }) },
        ]}
      />
      <FilterSwitch
        list={list}
        name="part"
        label="选择情况"
        options={[
          { value: '', label: '全部' },
          { value: 'chosen', label: '已选', count: chosen },
          { value: FREE, label: '未选', ...(list.filters.part === FREE && { count: total }) },
          ...(hasOverlaps ? [{ value: 'overlap', label: '网段冲突', count: overlapping }] : []),
        ]}
      />
      <Button theme="borderless" onClick={() => onPaste('')}>
        粘贴多个
      </Button>
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
