import type { DeliveryRow } from '#contract/monitor/index.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type ContactRow, useUnsentAlerts } from './api.ts'

/** Dialog of alerts that were not sent to a contact, because it was unverified or its authorization had expired. */
export function UnsentDialog({ contact: { name, email }, onClose }: { contact: ContactRow; onClose: () => void }) {
  const list = useLocalListState({})
  const query = useUnsentAlerts(email, list)
  return (
    <Dialog title={`未发送给“${name}”的告警`} widthPx={720} onClose={onClose}>
      <p className="nl-muted">联系人邮箱未验证或授权已过期时不发送告警。记录保留 90 天，验证后不会补发。</p>
      <DataTable
        label="未发送的告警"
        columns={COLUMNS}
        rowKey={(row) => row.delivery_id}
        empty={{ hint: '没有未发送的告警。' }}
        {...{ list, query }}
      />
    </Dialog>
  )
}

const COLUMNS: readonly Column<DeliveryRow>[] = [
  { key: 'title', title: '告警', isName: true, wrap: true, cell: (row) => row.title },
  { key: 'time', title: '时间', cell: (row) => <TimeText at={row.create_time} /> },
  { key: 'words', title: '原因', phone: 'aside', wrap: true, cell: (row) => row.words },
]
