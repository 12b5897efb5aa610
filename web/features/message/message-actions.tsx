import { MESSAGE_REQUIRED } from '#contract/message/index.ts'
import { toast } from '#lib/toast/toast.ts'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { useDeleteMessages, useMarkRead } from './api.ts'
import { confirmDelete, confirmDeleteAll, confirmRead, confirmReadAll } from './confirm-messages.ts'

interface MessageActionsProps {
  /** Ids of the selected messages. */
  readonly ids: readonly number[]
  /** Counts of all messages, as they were read last; undefined while they load. */
  readonly sums: { readonly total: number; readonly unread: number; readonly newest: number } | undefined
  readonly onDone: () => void
}

/** Bulk actions (account 2); those on all messages take what the list knew when they were pressed. */
export function MessageActions({ ids, sums = { total: 0, unread: 0, newest: 0 }, onDone }: MessageActionsProps) {
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
