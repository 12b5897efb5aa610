import { durationText } from '#lib/format/format-time.ts'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type ConnectionRow, useConnections } from './api.ts'
import { LogList, memberColumn, Mono, useLogRange, useMemberFilter } from './log-list.tsx'

/* Page of the connection log: devices going online and offline (directory 2). */

const COLUMNS: readonly Column<ConnectionRow>[] = [
  memberColumn((row) => row.create_time),
  {
    key: 'event',
    title: '事件',
    phone: 'aside',
    cell: ({ online }) =>
      online === 1 ? (
        <StatusWord word="上线" shape="disc" tone="ok" />
      ) : (
        <StatusWord word="下线" shape="ring" tone="bad" />
      ),
  },
  { key: 'ip', title: '公网地址', cell: (row) => <Mono text={row.remote_ip} /> },
  { key: 'port', title: '端口', from: 'md', cell: (row) => <Port port={row.remote_port} /> },
  { key: 'version', title: '版本', from: 'lg', cell: (row) => row.version || '—' },
  { key: 'reason', title: '原因', from: 'lg', wrap: true, cell: (row) => row.reason || '—' },
  { key: 'lasted', title: '持续时间', from: 'md', cell: (row) => <Lasted row={row} /> },
  { key: 'time', title: '时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
]

/** Duration of the state that began with the line, until the next one. A name that nobody has any more has no end. */
function Lasted({ row: { create_time, next_time, present_name, router_name } }: { readonly row: ConnectionRow }) {
  if (next_time !== null) return durationText(next_time - create_time)
  return present_name !== router_name ? <span className="nl-muted">—</span> : <SinceText at={create_time} />
}

const Port = ({ port }: { readonly port: number | null }) =>
  port ?? (
    <Tooltip focusable content="平台没有告知设备连接的来源端口">
      <span>—</span>
    </Tooltip>
  )

export function ConnectLogPage() {
  const list = useListState({ range: '', member: '' })
  const range = useLogRange(list)
  const { page, limit, search } = list
  const { member: router_name } = list.filters
  const query = useConnections({ page, limit, search, router_name, ...range.sent })
  const ofMember = useMemberFilter(list, query.data?.data)
  return (
    <LogList
      title="连接记录"
      searchLabel="搜索成员、备注或公网地址"
      hint="硬件成员上线和下线的记录会显示在这里。"
      columns={COLUMNS}
      rowName={(row) => row.router_name}
      exported={{ type: 'connect', router_name }}
      {...{ list, range, query, ...ofMember }}
    />
  )
}
