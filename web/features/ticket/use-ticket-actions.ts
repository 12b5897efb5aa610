import { toMessage } from '#contract/kernel/errors.ts'
import type { TicketRow } from '#contract/ticket/index.ts'
import { checkDelete } from '#domain/ticket/status.ts'
import { confirm, DELETED_FOR_GOOD } from '#ui/dialog/confirm.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useDeleteTicket } from './api.ts'

/* Row actions of a ticket: deletion, with the reason if its status forbids it. */

type Target = Pick<TicketRow, 'ticket_number' | 'ticket_status'>

export function useTicketActions(onDeleted: () => void = () => {}): (ticket: Target) => readonly RowAction[] {
  const remove = useDeleteTicket()
  return ({ ticket_number, ticket_status: status }) => {
    const violation = checkDelete({ status })
    const onDelete = async () => {
      const isDone = await confirm({
        title: `删除工单“${ticket_number}”？`,
        body: DELETED_FOR_GOOD,
        verb: '删除工单',
        danger: true,
        run: () => remove.trigger({ ticket_number }),
      })
      if (isDone) onDeleted()
    }
    return [
      {
        label: '删除',
        danger: true,
        onSelect: () => void onDelete(),
        ...(violation && { blocked: toMessage(violation) }),
      },
    ]
  }
}
