import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import type { Input } from '#contract/kernel/endpoint.ts'
import { parseDay } from '#contract/kernel/time.ts'
import type { logsApi } from '#contract/logs/index.ts'
import { LOG_DAYS, LOG_SEARCH } from '#contract/logs/limits.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { type DayRange, lastDays, shortTimeText, timeText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { ExportButton } from '#ui/layout/buttons/export-button.tsx'
import type { TableQuery } from '#ui/table/data-table.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { paths } from '#lib/paths.ts'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import type { ListState } from '#ui/table/use-list-state.ts'
import { useExport } from './api.ts'

/* Shared page of all logs: search, range and page in the address, newest first, with an export of all rows. */

interface LogListProps<Row, F extends string> {
  readonly title: string
  readonly searchLabel: string
  readonly hint: string
  readonly list: ListState<F, never>
  readonly range: ReturnType<typeof useLogRange>
  readonly query: TableQuery<Row> & { readonly data?: { readonly searched_from: number | null } | undefined }
  readonly columns: readonly Column<Row>[]
  readonly rowName: (row: Row) => string
  /** Input of the export: the type of the log and its filters besides search and range. */
  readonly exported: Input<typeof logsApi.export>
  readonly filters?: ReactNode
  readonly wrap?: (content: ReactNode) => ReactNode
  readonly toRowActions?: (row: Row) => readonly RowAction[]
  readonly onPick?: (row: Row) => void
  readonly children?: ReactNode
}

export function LogList<Row extends { readonly log_id: number }, F extends string>(props: LogListProps<Row, F>) {
  const { range, exported, filters, hint, children, ...page } = props
  const { trigger } = useExport()
  const searchedFrom = page.query.data?.searched_from ?? null
  return (
    <ListPage
      {...page}
      facts={`记录保留 ${LOG_DAYS} 天，默认显示最近 7 天`}
      actions={<ExportButton onExport={() => trigger({ ...exported, ...range.sent, search: page.list.search })} />}
      rowKey={(row) => String(row.log_id)}
      filters={
        <>
          {filters}
          <DateRange label="时间范围" value={range.value} onChange={range.onChange} />
        </>
      }
      empty={{ hint }}
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

const DEFAULT_DAYS = 7 // directory 9
const SEPARATOR = '~'

/** Range of an address such as `2026-03-01~2026-03-10`; anything else means the last seven days. */
function readRange(text: string, nowMs: number): DayRange {
  const [from = '', to = '', ...more] = text.split(SEPARATOR)
  const isRange = parseDay(from) !== null && parseDay(to) !== null && from <= to && more.length === 0
  return isRange ? { from, to } : lastDays(DEFAULT_DAYS, nowMs)
}

/** Range as text; empty for the default, so that the address stays short and follows the present day. */
function writeRange(range: DayRange | null, nowMs: number): string {
  const initial = lastDays(DEFAULT_DAYS, nowMs)
  if (range === null || (range.from === initial.from && range.to === initial.to)) return ''
  return `${range.from}${SEPARATOR}${range.to}`
}

export function useLogRange(list: Pick<ListState<'range'>, 'filters' | 'setFilter'>) {
  const value = readRange(list.filters.range, Date.now())
  return {
    value,
    onChange: (range: DayRange | null) => list.setFilter('range', writeRange(range, Date.now())),
    sent: { start_time: value.from, end_time: value.to },
  }
}

/** Fields of a record that name its member. */
interface MemberRecord {
  readonly router_name: string
  readonly note: string
  readonly present_name: string
  readonly router_type: RouterType | null
}

/** Page of a present member: of hardware its own, of software the list that finds it. */
function memberPath({ present_name, router_type }: MemberRecord): string | null {
  if (present_name === '' || router_type === null) return null
  return router_type === ROUTER_TYPE.software
    ? paths.routers({ type: router_type, search: present_name })
    : paths.router(present_name)
}

/** Filter of a log by one member: props of its page, and the name that its call takes. */
export function useMemberFilter<Row extends MemberRecord>(
  list: Pick<ListState<'member'>, 'filters' | 'setFilter'>,
  rows: readonly Row[] | undefined,
) {
  const { member } = list.filters
  const nameOf = ({ present_name, router_name }: MemberRecord) => present_name || router_name
  const choose = (row: Row) => list.setFilter('member', nameOf(row))
  const shown = rows?.find((row) => nameOf(row) === member)
  const label = shown === undefined ? member : memberLabel(shown)
  if (member === '')
    return {
      onPick: choose,
      toRowActions: (row: Row): readonly RowAction[] => [{ label: '只看此成员', onSelect: () => choose(row) }],
    }
  return {
    filters: (
      <Button theme="light" aria-label={`取消只看 ${label}`} onClick={() => list.setFilter('member', '')}>
        成员：{label} ×
      </Button>
    ),
  }
}

/** Column of the member: its present note above its name at that time, with a link while it exists. */
export const memberColumn = <Row extends MemberRecord>(timeOf: (row: Row) => number): Column<Row> => ({
  key: 'member',
  title: '成员',
  isName: true,
  cell: (row) => {
    const to = memberPath(row)
    return <MemberIdentity member={row} compactText={shortTimeText(timeOf(row))} {...(to !== null && { to })} />
  },
})

export const Mono = ({ text }: { readonly text: string }) => <span className="nl-mono">{text || '—'}</span>
