import { useMemo } from 'react'
import type { TableQuery } from '../data-table.tsx'
import { pageCount } from './pager-window.ts'
import type { ListState } from '../use-list-state.ts'

/** Ascending order of rows by what a list calls it. */
export type RowOrders<Row, S extends string = string> = Readonly<Partial<Record<S, (a: Row, b: Row) => number>>>

/**
 * One page of rows that are all known, as a DataTable takes it. Rows come in the list's own order; another one needs
 * `orders`. Live rows come and go: beyond the end stands the last page, and the list keeps its own until somebody turns it.
 */
export function useClientPage<Row, L extends Pick<ListState, 'page' | 'limit' | 'sort' | 'order'>>(
  rows: readonly Row[],
  list: L,
  orders?: RowOrders<Row, L['sort']>,
) {
  const { limit, order } = list
  const compare = orders?.[list.sort as L['sort']]
  const sorted = useMemo(() => {
    if (compare === undefined) return order === 'asc' ? rows.toReversed() : rows
    return rows.toSorted((a, b) => (order === 'asc' ? compare(a, b) : compare(b, a)))
  }, [rows, compare, order])
  const page = Math.min(list.page, pageCount(rows.length, limit))
  const query = useMemo(
    (): TableQuery<Row> => ({
      data: { data: sorted.slice((page - 1) * limit, page * limit), count: sorted.length },
      isValidating: false,
      mutate: () => {},
    }),
    [sorted, page, limit],
  )
  return { query, list: { ...list, page } }
}
