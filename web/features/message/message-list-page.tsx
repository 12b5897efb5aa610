import { useState } from 'react'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import { MESSAGE_REQUIRED } from '#contract/message/index.ts'
import { MESSAGE } from '#contract/message/limits.ts'
import { shortTimeText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { toast } from '#lib/toast/toast.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { FirstOf } from '#ui/table/count-cells.tsx'
import { titleColumn } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState, useSelection } from '#ui/table/use-list-state.ts'
import { type MessageRow, useDeleteMessages, useMarkRowRead, useMessages, useMarkRead } from './api.ts'
import { toType, toObjects } from './message-text.ts'
import type { Column } from '#ui/table/table-column.ts'

/* Page of the caller's messages (account 2). */

const MessageDialog = lazyDialog(() => import('./message-dialog.tsx').then((m) => m.MessageDialog))

const TYPES = [{ value: '', label: '全部类型' }, ...MESSAGE.types.map((type) => ({ value: type, label: type }))]
const READ = [
  { value: '', label: '全部' },
  { value: '1', label: '未读' },
]

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

interface MessageActionsProps {
  readonly ids: readonly number[]
  readonly sums: { readonly total: number; readonly unread: number; readonly newest: number } | undefined
  readonly onDone: () => void
}

/** Bulk actions (account 2). Those on all messages cover only the messages that the list knew at the press. */
function MessageActions({ ids, sums = { total: 0, unread: 0, newest: 0 }, onDone }: MessageActionsProps) {
  const read = useMarkRead()
  const remove = useDeleteMessages()
  const { total, unread, newest } = sums
  const all = { type: 'all', newest } as const
  const finish = async (asked: Promise<boolean>) => {
    if (await asked) onDone()
  }
  /** Bulk actions need a selection (account 5). */
  const withSelection = (ask: (count: number) => Promise<boolean>) => () =>
    ids.length === 0 ? toast.error(MESSAGE_REQUIRED) : void finish(ask(ids.length))
  const message_id = [...ids]
  const count = ids.length === 0 ? '' : `（${ids.length}）`
  return (
    <PageActions
      subject="我的消息"
      main={[]}
      beside={[
        {
          label: `标记已读${count}`,
          onSelect: withSelection((n) => confirmRead(n, () => read.trigger({ message_id }))),
        },
        {
          label: '全部已读',
          blocked: unread === 0 ? '没有未读消息' : null,
          onSelect: () => void finish(confirmReadAll(() => read.trigger(all))),
        },
        {
          label: `删除${count}`,
          onSelect: withSelection((n) => confirmDelete(n, () => remove.trigger({ message_id }))),
        },
      ]}
      more={[
        {
          label: '删除全部',
          danger: true,
          blocked: total === 0 ? '没有消息' : null,
          onSelect: () => void finish(confirmDeleteAll(total, () => remove.trigger(all))),
        },
      ]}
    />
  )
}

const messageColumns = (onOpen: (row: MessageRow) => void): readonly Column<MessageRow>[] => [
  titleColumn('标题', (row) => ({
    name: row.title,
    onOpen: () => onOpen(row),
    second: <span>{row.type}</span>,
    compactText: shortTimeText(row.create_time),
  })),
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

type Run = () => Promise<unknown>

const confirmRead = (count: number, run: Run): Promise<boolean> =>
  confirm({ title: `您确定要将选中的 ${count} 条消息标记为已读吗？`, verb: '标记已读', run })

const confirmReadAll = (run: Run): Promise<boolean> =>
  confirm({
    title: '你确定将全部消息标记为已读吗',
    body: '包括未显示在当前列表中的消息，其他人的已读状态不变。',
    verb: '全部已读',
    run,
  })

const confirmDelete = (count: number, run: Run): Promise<boolean> =>
  confirm({
    title: `您确定要删除选中的 ${count} 条消息吗？`,
    body: '删除后不可恢复，其他人仍可查看。',
    verb: '删除',
    danger: true,
    run,
  })

const confirmDeleteAll = (total: number, run: Run): Promise<boolean> =>
  confirm({
    title: '你确定删除全部消息吗',
    body: `共 ${countText(total, COUNT_MAX)} 条，包括未显示在当前列表中的消息。删除后不可恢复，其他人仍可查看。`,
    verb: '删除全部',
    danger: true,
    run,
  })
