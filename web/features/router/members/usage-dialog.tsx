import { Dialog } from '#ui/dialog/dialog.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TrafficText } from '#ui/layout/text/traffic-text.tsx'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type UsageRow, useMemberUsage } from '../api.ts'
import { RecordList, useRecordRange } from '#ui/table/record-list.tsx'
import type { MemberDialogProps } from './use-member-dialogs.tsx'

const COLUMNS: readonly Column<UsageRow>[] = [
  { key: 'name', title: '组网', isName: true, cell: ({ name }) => name },
  { key: 'down', title: '下载流量', cell: (row) => <TrafficText bits={row.download_flow_sum * 8} /> },
  { key: 'up', title: '上传流量', cell: (row) => <TrafficText bits={row.upload_flow_sum * 8} /> },
]

/** Traffic of a software member by network, of the dials that began in the range. */
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
        columns={COLUMNS}
        {...{ list, range, query }}
      />
    </Dialog>
  )
}
