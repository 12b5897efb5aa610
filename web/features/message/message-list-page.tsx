import { useState } from 'react'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import { countText } from '#lib/format/format-unit.ts'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { type MessageRow, useDeleteMessages, useMarkRowRead, useMessages } from './api.ts'
import { confirmDelete } from './confirm-messages.ts'
import { toType } from './message-text.ts'
import { MessageActions } from './message-actions.tsx'
import { messageColumns } from './message-columns.tsx'
import { MESSAGE } from '#contract/message/limits.ts'

const MessageDialog = lazyDialog(() => import('./message-dialog.tsx').then((m) => ({ default: m.MessageDialog })))

const TYPES = [{ value: '', label: '全部类型' }, ...MESSAGE.types.map((type) => ({ value: type, label: type }))]
const READ = [
  { value: '', label: '全部' },
  { value: '1', label: '未读' },
]

/** Site messages of the caller (account 2). */
export function MessageListPage() {
  const list = useListState({ type: '', unread: '' })
  const { page, limit, filters } = list
  const query = useMessages({ page, limit, type: toType(filters.type), unread: filters.unread === '1' ? 1 : 0 })
  const { keys, onChange, clear } = useSelection('messages')
  const [opened, setOpened] = useState<MessageRow | null>(null)
  const read = useMarkRowRead()
  const remove = useDeleteMessages()
  const sums = query.data

  const toRowActions = (row: MessageRow): readonly RowAction[] => {
    const message_id = [row.message_id]
    const markRow = () => void read.trigger({ message_id })
    const deleteRow = async () => {
      if (await confirmDelete(1, () => remove.trigger({ message_id })))
        onChange(new Set([...keys].filter((key) => key !== String(row.message_id))))
    }
    return [
      { label: '查看', onSelect: () => setOpened(row) },
      ...(row.status === 0 ? [{ label: '标记已读', onSelect: markRow }] : []),
      { label: '删除', danger: true, onSelect: () => void deleteRow() },
    ]
  }
  return (
    <ListPage
      title="我的消息"
      facts={
        sums &&
        `共 ${countText(sums.total, COUNT_MAX)} 条，未读 ${countText(sums.unread)} 条，保留 ${MESSAGE.keptDays} 天`
      }
      actions={<MessageActions ids={[...keys].map(Number)} sums={sums} onDone={clear} />}
      label="消息"
      columns={messageColumns(setOpened)}
      rowKey={(row) => String(row.message_id)}
      rowName={(row) => row.title}
      selection={{ keys, onChange, actions: null }}
      filters={
        <>
          <FilterSwitch list={list} name="unread" label="按状态筛选" options={READ} />
          <FilterSwitch list={list} name="type" label="按类型筛选" options={TYPES} />
        </>
      }
      empty={{ hint: '系统通知、服务到期提醒、告警和工单进展会显示在这里。' }}
      {...{ list, query, toRowActions }}
    >
      {opened !== null && <MessageDialog message={opened} onClose={() => setOpened(null)} />}
    </ListPage>
  )
}
