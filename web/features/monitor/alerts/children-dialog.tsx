import type { AlertChildRow, AlertRow } from '#contract/monitor/index.ts'
import { foldedLabel, isInstant } from '#contract/monitor/alert.ts'
import { paths } from '#lib/paths.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { useAlertChildren } from '../api.ts'
import styles from './children-dialog.module.css'

/* Dialog of the members, or POP connections, that an alert concerns. */

const NONE: readonly AlertChildRow[] = []

export function ChildrenDialog({ alert, onClose }: { alert: AlertRow; onClose: () => void }) {
  const children = useAlertChildren(alert.alert_id)
  const { query, list } = useClientPage(children.data?.data ?? NONE, useLocalListState({}))
  return (
    <Dialog title={alert.title} onClose={onClose}>
      <DataTable
        label={foldedLabel(alert.rule)}
        columns={columnsOf(alert)}
        rowKey={(row) => `${row.router_name || row.label} ${row.start_time}`}
        query={children.data === undefined ? children : query}
        list={list}
        empty={{ hint: '没有其他成员受影响。' }}
      />
    </Dialog>
  )
}

/** An event of one moment has no end. */
const columnsOf = ({ rule }: AlertRow): readonly Column<AlertChildRow>[] =>
  isInstant(rule) ? COLUMNS.filter(({ key }) => key !== 'end') : COLUMNS

const COLUMNS: readonly Column<AlertChildRow>[] = [
  {
    key: 'name',
    title: '对象',
    isName: true,
    cell: ({ router_name, network_number, label, start_time: at }) => (
      <IdentityCell
        name={label}
        to={router_name === '' ? paths.network(network_number, { at }) : paths.router(router_name, { at })}
        second={<span>{router_name}</span>}
      />
    ),
  },
  { key: 'start', title: '发生时间', cell: (row) => <TimeText at={row.start_time} /> },
  {
    key: 'end',
    title: '恢复时间',
    phone: 'aside',
    cell: ({ end_time }) => <End at={end_time} />,
  },
  { key: 'times', title: '次数', wrap: true, cell: (row) => <Absences child={row} /> },
]

const End = ({ at }: { readonly at: number | null }) => (at === null ? '未恢复' : <TimeText at={at} />)

/** Number of absences, and each of them where there are several. */
function Absences({ child: { label, times, absences } }: { readonly child: AlertChildRow }) {
  if (times === 1) return '1次'
  return (
    <details>
      <summary aria-label={`${label} 的${times}次`}>{times}次</summary>
      <ol className={styles.absences}>
        {absences.map(({ start_time, end_time }) => (
          <li key={start_time}>
            <TimeText at={start_time} /> – <End at={end_time} />
          </li>
        ))}
      </ol>
      {absences.length < times && <p className="nl-muted">{`更早的${times - absences.length}次见连接日志`}</p>}
    </details>
  )
}
