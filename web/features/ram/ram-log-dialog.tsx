import { Dialog } from '#ui/dialog/dialog.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { RecordList, useRecordRange } from '#ui/table/record-list.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type RamLogRow, type RamRow, useRamLog } from './api.ts'

/* Dialog with the log of a sub-account, by default of the last 7 days (directory 2). */

const COLUMNS: readonly Column<RamLogRow>[] = [
  { key: 'module', title: '模块', cell: (row) => row.module_name },
  { key: 'action', title: '操作', cell: (row) => row.action_name },
  { key: 'message', title: '内容', isName: true, wrap: true, cell: (row) => row.message },
  { key: 'time', title: '操作时间', cell: (row) => <TimeText at={row.create_time} /> },
]

export function RamLogDialog({ ram: { id, username }, onClose }: { ram: RamRow; onClose: () => void }) {
  const list = useLocalListState({})
  const range = useRecordRange(list)
  const query = useRamLog(id, list, range.sent)
  return (
    <Dialog title={`操作日志 ${username}`} widthPx={880} onClose={onClose}>
      <RecordList
        label="操作日志"
        columns={COLUMNS}
        rowKey={(row) => `${row.create_time} ${row.module} ${row.action} ${row.message}`}
        {...{ list, range, query }}
      />
    </Dialog>
  )
}
