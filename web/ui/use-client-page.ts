import { useMemo } from 'react'
import type { TableQuery } from './data-table.tsx'
import { pageCount } from './pager-window.ts'
import type { ListState } from './use-list-state.ts'

/**
 * One page of rows that are all known, as a DataTable takes it. Live rows come and go: beyond the end stands the last
 * page, and the list keeps its own until somebody turns it.
 */
export function useClientPage<Row, L extends Pick<ListState, 'page' | 'limit'>>(rows: readonly Row[], list: L) {
  const { limit } = list
  const page = Math.min(list.page, pageCount(rows.length, limit))
  const query = useMemo(
    (): TableQuery<Row> => ({
      data: { data: rows.slice((page - 1) * limit, page * limit), count: rows.length },
      isValidating: false,
      mutate: () => {},
    }),
    [rows, page, limit],
  )
  return { query, list: { ...list, page } }
}
