import { type ReactNode, useState } from 'react'
import { type DayRange, lastDays } from '#lib/format/format-time.ts'
import { DataTable, type TableQuery } from './data-table.tsx'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { FilterBar } from './filter-bar.tsx'
import type { Column } from './table-column.ts'
import type { ListState } from './use-list-state.ts'

/* List of the records of one member or person, with its own search, range and pages. */

const DEFAULT_DAYS = 7 // network 9
const NOTHING = { title: '暂无数据', hint: '所选时间内没有记录，可换一个时间范围' }

/** Date range of such a list; a new range starts on the first page. */
export function useRecordRange(list: Pick<ListState, 'setPage'>) {
  const [range, setRange] = useState<DayRange | null>(() => lastDays(DEFAULT_DAYS, Date.now()))
  return {
    range,
    sent: range === null ? {} : { start_time: range.from, end_time: range.to },
    setRange: (next: DayRange | null) => {
      setRange(next)
      list.setPage(1)
    },
  }
}

interface RecordListProps<Row> {
  readonly label: string
  readonly searchLabel?: string
  readonly list: ListState<never, never>
  readonly range: ReturnType<typeof useRecordRange>
  readonly query: TableQuery<Row>
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly children?: ReactNode
}

export function RecordList<Row>(props: RecordListProps<Row>) {
  const { label, searchLabel, list, range, query, columns, rowKey, children } = props
  return (
    <>
      <FilterBar list={list} {...(searchLabel !== undefined && { searchLabel })}>
        {children}
        <DateRange label="时间范围" value={range.range} onChange={range.setRange} />
      </FilterBar>
      <DataTable {...{ label, query, columns, rowKey, list }} empty={NOTHING} />
    </>
  )
}
