import { shortTimeText } from '#lib/format/format-time.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusWord } from '#ui/state/icon.tsx'
import { FirstOf } from '#ui/table/first-of.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import type { MessageRow } from './api.ts'
import { toObjects } from './message-text.ts'

export const messageColumns = (onOpen: (row: MessageRow) => void): readonly Column<MessageRow>[] => [
  {
    key: 'title',
    title: '标题',
    isName: true,
    wrap: true,
    cell: (row) => (
      <IdentityCell
        name={row.title}
        wraps
        onOpen={() => onOpen(row)}
        second={<span>{row.type}</span>}
        compactText={shortTimeText(row.create_time)}
      />
    ),
  },
  { key: 'status', title: '状态', phone: 'aside', cell: (row) => <ReadBadge isRead={row.status === 1} /> },
  {
    key: 'object',
    title: '相关对象',
    from: 'md',
    cell: (row) => <FirstOf label="对象" items={toObjects(row)} />,
  },
  { key: 'created', title: '时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
]

function ReadBadge({ isRead }: { readonly isRead: boolean }) {
  const tone = isRead ? 'idle' : 'busy'
  return <StatusWord shape={isRead ? 'tick' : 'disc'} tone={tone} word={isRead ? '已读' : '未读'} />
}
