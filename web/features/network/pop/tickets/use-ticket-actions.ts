import { ERRORS } from '#contract/kernel/errors.ts'
import { NETWORK_TICKET_WORD, type NetworkTicketStatus } from '#contract/network/pop.ts'
import { canCancel, canDelete } from '#domain/network/pop/tickets.ts'
import { useGrants } from '#lib/session/session.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useCancelTicket, useDeleteTicket } from '#pages/network/api.ts'
import { confirmCancelTicket, confirmDeleteTicket } from './confirm-ticket.ts'
import { ticketRight, toActions } from '#pages/network/rights.ts'

interface TicketTarget {
  readonly network_ticket_number: string
  readonly network_number: string
  readonly network_ticket_status: NetworkTicketStatus
}

/** Cancel and delete of an order, each with the reason why its status does not allow it. */
export function useTicketActions(onDeleted: () => void = () => {}): (ticket: TicketTarget) => readonly RowAction[] {
  const grants = useGrants()
  const cancel = useCancelTicket()
  const remove = useDeleteTicket()
  return (ticket) => {
    const { network_ticket_number, network_number, network_ticket_status: status } = ticket
    const right = ticketRight(grants, network_number)
    const onCancel = () => void confirmCancelTicket(ticket, () => cancel.trigger({ network_ticket_number }))
    const onDelete = async () => {
      if (await confirmDeleteTicket(ticket, () => remove.trigger({ network_ticket_number }))) onDeleted()
    }
    return [
      ...toActions(right, {
        label: '取消工单',
        onSelect: onCancel,
        ...(!canCancel(status) && { blocked: reason('NETWORK_TICKET_NOT_CANCELLABLE', status) }),
      }),
      ...toActions(right, {
        label: '删除',
        danger: true,
        onSelect: () => void onDelete(),
        ...(!canDelete(status) && { blocked: reason('NETWORK_TICKET_NOT_DELETABLE', status) }),
      }),
    ]
  }
}

const reason = (
  key: 'NETWORK_TICKET_NOT_CANCELLABLE' | 'NETWORK_TICKET_NOT_DELETABLE',
  status: NetworkTicketStatus,
): string => ERRORS[key].msg.replace('{status}', NETWORK_TICKET_WORD[status])
