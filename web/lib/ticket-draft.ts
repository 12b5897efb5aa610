import * as z from 'zod'

/* First texts of a ticket, kept in the state of the navigation to its page: they are too long for an address. */

const draft = z.object({ title: z.string(), content: z.string() })
export type TicketDraft = z.infer<typeof draft>

export const withTicketDraft = (ticketDraft: TicketDraft) => ({ ticketDraft })

export function readTicketDraft(state: unknown): TicketDraft | null {
  return z.object({ ticketDraft: draft }).safeParse(state).data?.ticketDraft ?? null
}
