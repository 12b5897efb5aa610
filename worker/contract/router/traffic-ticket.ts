import * as z from 'zod'
import { EXAMPLE, write } from '#contract/kernel/endpoint.ts'
import { networkNumber, routerName } from '#contract/kernel/fields.ts'

/** Endpoint of tickets for live sockets: `GET router/traffic`, `network/live` or `account/live` with `?ticket=`. */
export const trafficTicket = write('router/traffic_ticket', 'session', {
  unmetered: true,
  summary: 'Single-use ticket for a live socket of a router, a network or the account',
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('router'), router_name: routerName }),
    z.object({ kind: z.literal('network'), network_number: networkNumber }),
    z.object({ kind: z.literal('account') }),
  ]),
  output: z.object({ ticket: z.string(), expires_in: z.int() }), // seconds
  example: { kind: 'router', router_name: EXAMPLE.router_name },
})
