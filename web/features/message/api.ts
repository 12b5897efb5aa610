import { useEffect } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'
import { messageApi } from '#contract/message/index.ts'
import type { MessageType } from '#contract/message/limits.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { updateUser } from '#lib/session/session.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'

/* Hooks of the message endpoints. */

export type MessageRow = Output<typeof messageApi.lists>[number]

/** Messages; follows the account's live channel, and updates the unread number of the header. */
export function useMessages(input: Pick<ListView, 'page' | 'limit'> & { type: MessageType | ''; unread: 0 | 1 }) {
  const query = useQuery(messageApi.lists, input, { keepPrevious: true })
  const read = useRefreshMessages()
  const unread = query.data?.unread
  useAccountLive((frame) => {
    if (frame.type === 'account' && frame.data.unread !== unread) read()
  }, read)
  useEffect(() => {
    if (unread !== undefined) updateUser({ message_count: unread })
  }, [unread])
  return query
}

export const useMessage = (message_id: number) =>
  useQuery(messageApi.info, { message_id }, { isFresh: true, onMissing: 'stay' })

export const useRefreshMessages = () => useRefresh([messageApi.lists])

export const useMarkRead = () => useCommand(messageApi.updateMessage, [], QUIET)
export const useMarkRowRead = () => useCommand(messageApi.updateMessage, [], { onMissing: 'stay' })
export const useDeleteMessages = () => useCommand(messageApi.deleteMessage, [], QUIET)
