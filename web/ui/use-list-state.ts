import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { isNarrowed, type ListChange, type ListView, nextView, readView, writeView } from './list-state.ts'

/** State of a list for filter bar, table and pager, with its setters. */
export interface ListState<F extends string = string> extends ListView<F> {
  /** A search or a filter hides rows. */
  readonly isNarrowed: boolean
  readonly setSearch: (search: string) => void
  readonly setFilter: (name: F, value: string) => void
  readonly setPage: (page: number) => void
  readonly clear: () => void
}

function listState<F extends string>(
  view: ListView<F>,
  defaults: Readonly<Record<F, string>>,
  apply: (change: ListChange<F>) => void,
): ListState<F> {
  return {
    ...view,
    isNarrowed: isNarrowed(view, defaults),
    setSearch: (search) => apply({ type: 'search', search }),
    setFilter: (name, value) => apply({ type: 'filter', name, value }),
    setPage: (page) => apply({ type: 'page', page }),
    clear: () => apply({ type: 'clear' }),
  }
}

/**
 * A list whose state lives in the address bar, so a page can be shared, reloaded and gone back to. `filters` names
 * each filter with its default. A page turn makes a history entry; typing a search does not.
 */
export function useListState<F extends string = never>(filters: Readonly<Record<F, string>>): ListState<F> {
  const [query, setQuery] = useSearchParams()
  return listState(readView(query, filters), filters, (change) =>
    setQuery((now) => writeView(now, nextView(readView(now, filters), change, filters), filters), {
      replace: change.type !== 'page',
    }),
  )
}

/** The same for a list inside a dialog or a drawer, which has no address of its own. */
export function useLocalListState<F extends string = never>(filters: Readonly<Record<F, string>>): ListState<F> {
  const [view, setView] = useState<ListView<F>>(() => readView(new URLSearchParams(), filters))
  return listState(view, filters, (change) => setView((now) => nextView(now, change, filters)))
}
