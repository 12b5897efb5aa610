import Button from '@douyinfe/semi-ui/lib/es/button'
import { countText } from '#lib/format-unit.ts'
import type { DataTableProps, TableQuery } from './data-table.tsx'
import '#ui/layout/text.css'

interface OutdatedRowsProps {
  readonly count: number
  readonly onRefresh: () => unknown
}

/** Rows that changed under the eyes of a reader stay in place; this says how many do not belong there any more. */
export function OutdatedRows({ count, onRefresh }: OutdatedRowsProps) {
  return (
    <div className="nl-outdated" role="status">
      <span>{countText(count)} 行已不符合筛选</span>
      <Button theme="borderless" size="small" onClick={() => void onRefresh()}>
        刷新
      </Button>
    </div>
  )
}

type StatusProps<Row> = Pick<DataTableProps<Row>, 'label' | 'list' | 'query'> & {
  readonly reply: TableQuery<Row>['data']
}

/** Announces how many rows there are once they are read: after a search, a filter, a page turn. */
export function TableStatus<Row>({ label, list, query, reply }: StatusProps<Row>) {
  return (
    <span className="nl-sr" role="status">
      {reply !== undefined && !query.isValidating && resultText(label, list, reply)}
    </span>
  )
}

function resultText<Row>(
  label: string,
  list: StatusProps<Row>['list'],
  { data, count = data.length }: NonNullable<TableQuery<Row>['data']>,
): string {
  if (count === 0) return list?.isNarrowed ? `没有符合筛选的${label}` : `还没有${label}`
  const page = list !== undefined && list.page > 1 ? `，第 ${list.page} 页` : ''
  return `${label} ${countText(count)} 条${page}`
}
