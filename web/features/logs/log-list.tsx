import type { ReactNode } from 'react'
import type { Input } from '#contract/kernel/endpoint.ts'
import { LOG_SEARCH, LOG_DAYS } from '#contract/logs/limits.ts'
import type { logsApi } from '#contract/logs/index.ts'
import { timeText } from '#lib/format/format-time.ts'
import type { TableQuery } from '#ui/table/data-table.tsx'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { ExportButton } from '#ui/layout/buttons/export-button.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import type { ListState } from '#ui/table/use-list-state.ts'
import { useExport } from './api.ts'
import type { useLogRange } from './log-range.ts'

interface Searched {
  readonly searched_from: number | null
}

interface LogListProps<Row, F extends string> {
  readonly title: string
  readonly searchLabel: string
  /** Hint for an empty list: what would be in it. */
  readonly hint: string
  readonly list: ListState<F, never>
  readonly range: ReturnType<typeof useLogRange>
  readonly query: TableQuery<Row> & { readonly data?: Searched | undefined }
  readonly columns: readonly Column<Row>[]
  readonly rowName: (row: Row) => string
  /** The export of what the list shows: its type and its filters besides search and range. */
  readonly exported: Input<typeof logsApi.export>
  /** Filters besides the search and the range. */
  readonly filters?: ReactNode
  readonly wrap?: (content: ReactNode) => ReactNode
  readonly toRowActions?: (row: Row) => readonly RowAction[]
  readonly children?: ReactNode
}

/** A log: search, range and page in the address, newest first, and all of its rows as a workbook. */
export function LogList<Row extends { readonly log_id: number }, F extends string>(props: LogListProps<Row, F>) {
  const { list, range, exported, filters, hint, title, wrap, toRowActions, children, ...rest } = props
  const { trigger } = useExport()
  const searchedFrom = rest.query.data?.searched_from ?? null
  return (
    <ListPage
      label={title}
      facts={`记录保留 ${LOG_DAYS} 天，默认显示最近 7 天`}
      actions={<ExportButton onExport={() => trigger({ ...exported, ...range.sent, search: list.search })} />}
      rowKey={(row) => String(row.log_id)}
      filters={
        <>
          {filters}
          <DateRange label="时间范围" value={range.value} onChange={range.onChange} />
        </>
      }
      empty={{ hint }}
      {...{ ...rest, title, list }}
      {...(wrap !== undefined && { wrap })}
      {...(toRowActions !== undefined && { toRowActions })}
    >
      {searchedFrom !== null && (
        <p className="nl-muted" role="status">
          {`记录较多，仅搜索了最近 ${LOG_SEARCH.rowsMax} 条（${timeText(searchedFrom)} 之后），请缩小时间范围。`}
        </p>
      )}
      {children}
    </ListPage>
  )
}
