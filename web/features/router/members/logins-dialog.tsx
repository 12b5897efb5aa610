import { Dialog } from '#ui/dialog/dialog.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type LoginRecord, useMemberLogins } from '../api.ts'
import { RecordList, useRecordRange } from '#ui/table/record-list.tsx'
import { clientText } from '../router-text.ts'
import type { MemberDialogProps } from './use-member-dialogs.tsx'

const COLUMNS: readonly Column<LoginRecord>[] = [
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

/** Sign-ins of a software member. */
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
        columns={COLUMNS}
        {...{ list, range, query }}
      />
    </Dialog>
  )
}
