import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  isNarrowed,
  type ListChange,
  type ListShape,
  type ListView,
  nextView,
  type PageSize,
  readView,
  type SortOrder,
  writeView,
} from './list-state.ts'

/* Hooks of the state of a list: in the address, local, and the selected rows. */

/** State of a list for filter bar, table and pager, with its setters. */
export interface ListState<F extends string = string, S extends string = string> extends ListView<F, S> {
  /** A search or a filter hides rows. */
  readonly isNarrowed: boolean
  readonly setSearch: (search: string) => void
  readonly setFilter: (name: F, value: string) => void
  setSort(sort: S, order: SortOrder): void
  readonly setPage: (page: number) => void
  readonly setLimit: (limit: PageSize) => void
  readonly clear: () => void
}

function listState<F extends string, S extends string>(
  view: ListView<F, S>,
  shape: ListShape<F, S>,
  apply: (change: ListChange<F, S>) => void,
): ListState<F, S> {
  return {
    ...view,
    isNarrowed: isNarrowed(view, shape),
    setSearch: (search) => apply({ type: 'search', search }),
    setFilter: (name, value) => apply({ type: 'filter', name, value }),
    setSort: (sort, order) => apply({ type: 'sort', sort, order }),
    setPage: (page) => apply({ type: 'page', page }),
    setLimit: (limit) => apply({ type: 'limit', limit }),
    clear: () => apply({ type: 'clear' }),
  }
}

const UNSORTED: readonly never[] = []

/**
 * List state in the address bar, so that a page can be shared, reloaded and gone back to. `filters` names each filter with
 * its default, `sorts` the orders of the endpoint. Only a page turn makes a history entry.
 */
export function useListState<F extends string = never, S extends string = never>(
  filters: Readonly<Record<F, string>>,
  sorts: readonly S[] = UNSORTED,
): ListState<F, S> {
  const shape = { filters, sorts }
  const [query, setQuery] = useSearchParams()
  return listState(readView(query, shape), shape, (change) =>
    setQuery((now) => writeView(now, nextView(readView(now, shape), change, shape), shape), {
      replace: change.type !== 'page',
    }),
  )
}

/** List state inside a dialog or drawer, which has no address. */
export function useLocalListState<F extends string = never, S extends string = never>(
  filters: Readonly<Record<F, string>>,
  sorts: readonly S[] = UNSORTED,
): ListState<F, S> {
  const shape = { filters, sorts }
  const [view, setView] = useState<ListView<F, S>>(() => readView(new URLSearchParams(), shape))
  return listState(view, shape, (change) => setView((now) => nextView(now, change, shape)))
}

const NONE: ReadonlySet<string> = new Set()

/** Selected rows of a list by key, over all its pages; a new `scope` starts empty. */
export function useSelection(scope: string) {
  const [kept, setKept] = useState({ scope, keys: NONE })
  const keys = kept.scope === scope ? kept.keys : NONE
  const onChange = (next: ReadonlySet<string>) => setKept({ scope, keys: next })
  return { keys, onChange, clear: () => onChange(NONE) }
}
