import { useState } from 'react'
import { briefDuration } from '#lib/format/format-time.ts'
import { trafficText } from '#lib/format/format-unit.ts'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { RecordList, useRecordRange } from '#ui/table/record-list.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import {
  type DialMode,
  type DialRecord,
  type LoginRecord,
  type UsageRow,
  useMemberDials,
  useMemberLogins,
  useMemberUsage,
} from './api.ts'
import { clientText } from '../router-text.ts'
import type { MemberDialogProps } from './use-row-verbs.tsx'

/* Dialogs of the records of a software member: dials, logins and traffic. */

const MODES = [
  { value: 'p2p', label: '点对点' },
  { value: 'pop', label: 'POP' },
] as const

const TARGET: Readonly<Record<DialMode, readonly Column<DialRecord>[]>> = {
  p2p: [
    { key: 'network', title: '组网', cell: (row) => row.network_name || row.network_number },
    { key: 'link', title: '中心点', cell: (row) => row.link_note || row.link_router_name },
  ],
  pop: [
    { key: 'pop', title: 'POP 资源', cell: (row) => row.pop_name },
    { key: 'area', title: '区域', cell: (row) => row.area },
  ],
}
const columnsOf = (mode: DialMode): readonly Column<DialRecord>[] => [
  { key: 'start', title: '开始时间', isName: true, cell: (row) => <TimeText at={row.start_time} /> },
  { key: 'end', title: '结束时间', cell: (row) => <TimeText at={row.end_time} never="进行中" /> },
  { key: 'online', title: '在线时长', cell: (row) => briefDuration(row.online_time * 1_000) },
  ...TARGET[mode],
  { key: 'orig', title: '来源地址', cell: (row) => <span className="nl-mono">{row.orig || '—'}</span> },
  { key: 'vpn', title: 'VPN 地址', cell: (row) => <span className="nl-mono">{row.vpn_ip || '—'}</span> },
]

/** Dials of a software member; each mode has its own search, range and pages (network 2). */
export function DialsDialog({ info: { router_name }, onClose }: MemberDialogProps) {
  const [mode, setMode] = useState<DialMode>('p2p')
  return (
    <Dialog title={`拨号记录 ${router_name}`} widthPx={960} onClose={onClose}>
      <Tabs label="拨号方式" value={mode} options={MODES} onChange={setMode}>
        <Dials key={mode} routerName={router_name} mode={mode} />
      </Tabs>
    </Dialog>
  )
}

function Dials({ routerName, mode }: { readonly routerName: string; readonly mode: DialMode }) {
  const list = useLocalListState({})
  const range = useRecordRange(list)
  const query = useMemberDials(routerName, mode, list, range.sent)
  return (
    <RecordList
      label="拨号记录"
      searchLabel={mode === 'p2p' ? '搜索组网编号或中心点' : '搜索 POP 资源'}
      rowKey={(row) => `${row.start_time} ${row.link_router_name} ${row.vpn_ip}`}
      columns={columnsOf(mode)}
      {...{ list, range, query }}
    />
  )
}

const LOGIN_COLUMNS: readonly Column<LoginRecord>[] = [
  { key: 'time', title: '登录时间', isName: true, cell: (row) => <TimeText at={row.create_time} /> },
  { key: 'result', title: '结果', cell: ({ success, reason }) => (success === 1 ? '成功' : `失败 ${reason}`) },
  { key: 'ip', title: 'IP', cell: ({ ip }) => <span className="nl-mono">{ip}</span> },
  { key: 'client', title: '客户端', cell: clientText },
  {
    key: 'device',
    title: '设备',
    cell: (row) => [row.sys_brand, row.sys_model, row.sys_version].filter(Boolean).join(' ') || '—',
  },
]

export function LoginsDialog({ info: { router_name }, onClose }: MemberDialogProps) {
  const list = useLocalListState({})
  const range = useRecordRange(list)
  const query = useMemberLogins(router_name, list, range.sent)
  return (
    <Dialog title={`登录记录 ${router_name}`} widthPx={960} onClose={onClose}>
      <RecordList
        label="登录记录"
        searchLabel="搜索 IP"
        rowKey={(row) => `${row.create_time} ${row.ip} ${row.success}`}
        columns={LOGIN_COLUMNS}
        {...{ list, range, query }}
      />
    </Dialog>
  )
}

/** Amount of traffic in the user's unit. */
function TrafficText({ bits }: { readonly bits: number }) {
  return trafficText(bits, useTrafficUnit()[0])
}

const USAGE_COLUMNS: readonly Column<UsageRow>[] = [
  { key: 'name', title: '组网', isName: true, cell: ({ name }) => name },
  { key: 'down', title: '下载流量', cell: (row) => <TrafficText bits={row.download_flow_sum * 8} /> },
  { key: 'up', title: '上传流量', cell: (row) => <TrafficText bits={row.upload_flow_sum * 8} /> },
]

/** Traffic of a software member by network, for dials that began in the range. */
export function UsageDialog({ info: { router_name }, onClose }: MemberDialogProps) {
  const list = useLocalListState({})
  const range = useRecordRange(list)
  const query = useMemberUsage(router_name, list, range.sent)
  return (
    <Dialog title={`用量 ${router_name}`} widthPx={720} onClose={onClose}>
      <RecordList
        label="用量"
        searchLabel="搜索组网"
        rowKey={({ name }) => name}
        columns={USAGE_COLUMNS}
        {...{ list, range, query }}
      />
    </Dialog>
  )
}
