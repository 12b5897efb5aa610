import { useMemo, useState } from 'react'
import { isMatch, type MemberOption } from './picker.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countStates } from '#domain/health/member.ts'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'

/** Filters of the table of candidates; an empty one lets everything pass. */
interface PickerFilter {
  readonly search: string
  readonly kind: string
  readonly part: string
  readonly state: string
}

/** Marks of options that a filter and the order look at. */
interface PickerMarks {
  readonly roles: ReadonlyMap<string, 'center' | 'point'>
  readonly overlapping: ReadonlySet<string>
}

export const KINDS = { hardware: ROUTER_TYPE.hardware, software: ROUTER_TYPE.software } as const

/** Options that pass all filters but that of states, which counts them. */
function filterOptions(
  options: readonly MemberOption[],
  { search, kind, part }: Omit<PickerFilter, 'state'>,
  { roles, overlapping }: PickerMarks,
): readonly MemberOption[] {
  return options.filter(
    (option) =>
      (kind === '' || option.routerType === KINDS[kind as keyof typeof KINDS]) &&
      (part === '' || isInPart(part, option.router_name, { roles, overlapping })) &&
      (isMatch(option, search) || option.lan.some((segment) => segment.includes(search.trim()))),
  )
}

function isInPart(part: string, name: string, { roles, overlapping }: PickerMarks): boolean {
  if (part === 'overlap') return overlapping.has(name)
  return roles.has(name) === (part === 'chosen')
}

const RANK = { center: 0, point: 1 } as const

/** Centres, points, then the rest; otherwise as given. */
function chosenFirst(options: readonly MemberOption[], { roles }: PickerMarks): readonly MemberOption[] {
  const rank = ({ router_name }: MemberOption) => {
    const role = roles.get(router_name)
    return role === undefined ? 2 : RANK[role]
  }
  return options.toSorted((a, b) => rank(a) - rank(b))
}

const FILTERS = { kind: '', part: '', state: '' }

/**
 * The rows that the table of candidates shows. Choosing moves none: what is chosen comes first, and leaves a filter, once
 * search, filter or page change.
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
