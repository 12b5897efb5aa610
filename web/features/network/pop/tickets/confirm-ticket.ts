import type { NetworkTicketStatus } from '#contract/network/pop.ts'
import { DELETED_FOR_GOOD, confirm } from '#ui/dialog/confirm.tsx'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'

interface TicketTarget {
  readonly network_ticket_number: string
  readonly network_ticket_status: NetworkTicketStatus
}

/** Asks before an order is cancelled; of a completed one it says first that its resource stays. */
export function confirmCancelTicket(ticket: TicketTarget, run: () => Promise<unknown>): Promise<boolean> {
  const { network_ticket_number: number, network_ticket_status: status } = ticket
  const kept =
    status === NETWORK_TICKET_STATUS.completed ? '已开通的POP资源会保留，直到服务商撤销。' : '服务商会停止处理该工单。'
  return confirm({
    title: `取消工单“${number}”？`,
    body: `是否取消工单? ${kept}`,
    verb: '取消工单',
    cancel: '返回',
    danger: true,
    run,
  })
}

export function confirmDeleteTicket(ticket: TicketTarget, run: () => Promise<unknown>): Promise<boolean> {
  return confirm({
    title: `删除工单“${ticket.network_ticket_number}”？`,
    body: DELETED_FOR_GOOD,
    verb: '删除工单',
    danger: true,
    run,
  })
}
