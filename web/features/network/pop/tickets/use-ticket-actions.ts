import { toMessage } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { NetworkTicketStatus } from '#contract/network/pop.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { checkCancel, checkDelete } from '#domain/network/pop/tickets.ts'
import { useGrants } from '#lib/session/session.ts'
import { confirm, DELETED_FOR_GOOD } from '#ui/dialog/confirm.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useCancelTicket, useDeleteTicket } from '#pages/network/api.ts'
import { ticketRight, toActions } from '#pages/network/rights.ts'

/* Actions on an order of POP access: cancel and delete, each with a reason if its status does not allow it. */

interface TicketTarget {
  readonly network_ticket_number: string
  readonly network_number: string
  readonly network_ticket_status: NetworkTicketStatus
}

export function useTicketActions(onDeleted: () => void = () => {}): (ticket: TicketTarget) => readonly RowAction[] {
  const grants = useGrants()
  const cancel = useCancelTicket()
  const remove = useDeleteTicket()
  return (ticket) => {
    const { network_ticket_number, network_number, network_ticket_status: status } = ticket
    const right = ticketRight(grants, network_number)
    // The resource of a completed order stays.
    const kept =
      status === NETWORK_TICKET_STATUS.completed
        ? '已开通的POP资源会保留，直到服务商撤销。'
        : '服务商会停止处理该工单。'
    const onCancel = () =>
      void confirm({
        title: `取消工单“${network_ticket_number}”？`,
        body: `是否取消工单? ${kept}`,
        verb: '取消工单',
        cancel: '返回',
        danger: true,
        run: () => cancel.trigger({ network_ticket_number }),
      })
    const onDelete = async () => {
      const isDeleted = await confirm({
        title: `删除工单“${network_ticket_number}”？`,
        body: DELETED_FOR_GOOD,
        verb: '删除工单',
        danger: true,
        run: () => remove.trigger({ network_ticket_number }),
      })
      if (isDeleted) onDeleted()
    }
    return [
      ...toActions(right, {
        label: '取消工单',
        onSelect: onCancel,
        ...blockedIf(checkCancel(status)),
      }),
      ...toActions(right, {
        label: '删除',
        danger: true,
        onSelect: () => void onDelete(),
        ...blockedIf(checkDelete(status)),
      }),
    ]
  }
}

const blockedIf = (refused: Violation | null) => refused !== null && { blocked: toMessage(refused) }
