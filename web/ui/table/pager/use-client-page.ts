import { useMemo } from 'react'
import type { TableQuery } from '../data-table.tsx'
import { pageCount } from './pager-window.ts'
import type { ListState } from '../use-list-state.ts'

/* Hook that pages and sorts rows in the browser. */

/** Ascending comparison of rows, by the name of the order. */
export type RowOrders<Row, S extends string = string> = Readonly<Partial<Record<S, (a: Row, b: Row) => number>>>

/**
 * One page of fully known rows, for a DataTable. Rows come in the default order; another one needs `orders`. Beyond the end
 * of live rows the last page is shown, and the list keeps its page until the user turns it.
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
