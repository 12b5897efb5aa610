import { useMemo, useState } from 'react'
import { countStates } from '#domain/health/member.ts'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { chosenFirst, filterOptions, type PickerMarks } from './picker-view.ts'
import type { MemberOption } from './picker.ts'

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
