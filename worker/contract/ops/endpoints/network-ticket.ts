import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { displayText, sentTime, time } from '#contract/kernel/fields.ts'
import { POP } from '#contract/network/limits.ts'
import { networkTicketNumber, networkTicketStatus } from '#contract/network/pop.ts'

/* Operator's endpoints of orders of POP access. */

const step = z.object({
  number: networkTicketNumber,
  /** Note to the customer, sent with the message. */
  note: displayText.max(200).default(''),
})
const example = { number: '202600000002', note: '' }

export const networkTicketOps = {
  listNetworkTickets: read('network_ticket/lists', 'operator:read', {
    summary: 'Orders of POP access that wait for the operator, oldest first',
    output: z.array(
      z.object({
        number: networkTicketNumber,
        account: z.string(),
        network_number: z.string(),
        status: networkTicketStatus,
        create_time: time,
        attributes: z.unknown(),
      }),
    ),
  }),
  startNetworkTicket: write('network_ticket/start', 'operator:support', {
    summary: 'Begin with an order',
    input: step,
    done: 'set',
    example,
  }),
  completeNetworkTicket: write('network_ticket/complete', 'operator:admin', {
    summary: 'Complete an order: makes the resource with its areas and gives the network to their nodes',
    input: step.extend({
      /** Name of the resource; by default its areas. */
      name: displayText.min(1).max(POP.nameMax).optional(),
      shortname: displayText.min(1).max(POP.nameMax).optional(),
      /** End of the term of the resource; by default the years of the order. */
      expired_time: sentTime.optional(),
    }),
    output: z.object({ network_fr_id: z.int() }),
    done: 'set',
    example,
  }),
  cancelNetworkTicket: write('network_ticket/cancel', 'operator:support', {
    summary: 'Cancel an order; a resource that it has made stays until it is withdrawn',
    input: step,
    done: 'cancelled',
    example,
  }),
} as const
