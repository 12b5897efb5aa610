import { type TicketStatus, ticketApi } from '#contract/ticket/index.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { call } from '#lib/call/call.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'
import { FILE } from '#contract/file/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Hooks and calls of the ticket endpoints. */

/** Addresses of images are renewed before they expire; a hidden page reads again once it is shown. */
const RENEW_MS = FILE.addressMinutes * 60_000 * 0.8
const UPLOAD_TIMEOUT_MS = 60_000
const OPTIONS = 20

export function useTickets(input: Pick<ListView, 'page' | 'limit' | 'search'> & { status: TicketStatus | '' }) {
  const query = useQuery(ticketApi.lists, input, { keepPrevious: true })
  const read = useRefresh([ticketApi.lists])
  useAccountLive((frame) => {
    if (frame.type === 'ticket' && frame.data.length > 0) read()
  }, read)
  return query
}

export function useTicket(ticket_number: string) {
  const query = useQuery(ticketApi.info, { ticket_number }, { onMissing: 'stay', pollMs: RENEW_MS })
  const read = () => void query.mutate()
  useAccountLive((frame) => {
    if (frame.type === 'ticket' && frame.data.some((ticket) => ticket.ticket_number === ticket_number)) read()
  }, read)
  return query
}

export const useCreateTicket = () => useCommand(ticketApi.create)
export const useReply = () => useCommand(ticketApi.reply, [], { onMissing: 'stay' })
export const useAppraise = () => useCommand(ticketApi.appraise, [], { onMissing: 'stay' })
export const useReopen = () => useCommand(ticketApi.reopen, [], { onMissing: 'stay' })
/** The confirmation shows the refusal. */
export const useDeleteTicket = () => useCommand(ticketApi.delete, [], { quiet: true })

/** Uploads an image; resolves to the id for a ticket or reply. */
export async function uploadImage(file: File): Promise<string> {
  const { data } = await call(ticketApi.uploadFile, { file }, { quiet: true, timeoutMs: UPLOAD_TIMEOUT_MS })
  return data.file_id
}

export function useSnapshotOptions(search: string) {
  const input = { page: 1, limit: OPTIONS, search } as const
  const networks = useQuery(networkApi.lists, input, { keepPrevious: true })
  const hardware = useQuery(routerApi.lists, { ...input, type: ROUTER_TYPE.hardware }, { keepPrevious: true })
  const software = useQuery(routerApi.lists, { ...input, type: ROUTER_TYPE.software }, { keepPrevious: true })
  return {
    networks: networks.data?.data ?? [],
    routers: [...(hardware.data?.data ?? []), ...(software.data?.data ?? [])],
  }
}
