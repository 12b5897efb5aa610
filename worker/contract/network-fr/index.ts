import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { networkNumber, search, time } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { ofNetwork } from '#contract/network/fields.ts'

/* Endpoints of POP resources that an account has bought (network 2, 3). */

const networkFrRow = z.object({
  network_fr_id: z.int(),
  name: z.string(),
  create_time: time,
  expire_time: time,
  expire_day: z.int(), // days left, a begun one counted; 0 once expired
  status: z.int(), // 1: valid; other values: in process
  networks: z.array(z.object({ network_name: z.string(), network_number: networkNumber })),
  areas: z.array(z.object({ name: z.string(), bandwidth: z.int() })), // Mbit/s
})

export const networkFrApi = {
  lists: read('network_fr/lists', 'session', {
    reads: 'near',
    summary: 'POP resources, newest first',
    ...list({ row: networkFrRow, filters: { search } }),
  }),
  config: read('network_fr/config', 'session', {
    reads: 'near',
    summary: 'Resources that a network may use, and which it prefers: 1 centre, 2 POP',
    ...ofNetwork,
    output: z.object({
      mode: z.int(),
      data: z.array(z.object({ network_fr_id: z.int(), shortname: z.string() })),
    }),
  }),
  ov: read('network_fr/ov', 'session', {
    reads: 'near',
    summary: 'Areas of the resource that a network uses',
    ...ofNetwork,
    output: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
} as const
