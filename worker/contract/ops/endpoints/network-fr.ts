import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { displayText, numeric, time, wireBoolean } from '#contract/kernel/fields.ts'
import { NETWORK_TICKET } from '#contract/network/limits.ts'
import { areaBandwidth } from '#contract/network/pop.ts'
import { popName } from './pop.ts'

/* Operator's endpoints of POP resources, which outlive their orders. */

const target = z.object({
  network_fr_id: numeric(z.int().positive()),
  /** Note to the customer, sent with the message. */
  note: displayText.max(200).default(''),
})
const example = { network_fr_id: 1, note: '' }

export const networkFrOps = {
  listNetworkFrs: read('network_fr/lists', 'operator:read', {
    summary: 'POP resources that run, those first whose withdrawal is due: their order was cancelled or is gone',
    output: z.array(
      z.object({
        network_fr_id: z.int(),
        account: z.string(),
        name: z.string(),
        create_time: time,
        expired_time: time,
        /** Networks that use it. */
        network_number: z.array(z.string()),
        /** Its completed order; empty once that was cancelled or deleted. */
        ticket_number: z.string(),
        withdrawal_due: wireBoolean,
      }),
    ),
  }),
  renewNetworkFr: write('network_fr/renew', 'operator:admin', {
    summary: 'Extend a resource; one that has expired counts from now, and its areas work again',
    input: target.extend({ expired_time: numeric(z.union(NETWORK_TICKET.years.map((years) => z.literal(years)))) }),
    done: 'set',
    example: { ...example, expired_time: 1 },
  }),
  networkFrBandwidth: write('network_fr/bandwidth', 'operator:admin', {
    summary: 'Set the bandwidth of a resource in one area, in Mbit/s; tunnels keep running',
    input: target.extend({
      name: popName,
      bandwidth: areaBandwidth,
    }),
    done: 'set',
    example: { ...example, name: '上海', bandwidth: 50 },
  }),
  withdrawNetworkFr: write('network_fr/withdraw', 'operator:admin', {
    summary: 'Withdraw a resource from its networks; its order is cancelled if it is not yet',
    input: target,
    done: 'set',
    example,
  }),
} as const
