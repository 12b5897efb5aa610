import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { numeric, routerName, search, shared, time, wireBoolean } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { bandwidthField } from '#contract/saas/index.ts'

/* Endpoints of bandwidth pools, which SaaS devices share (directory 2, 3); Mbit/s. Not for roles limited to networks. */

const poolId = numeric(z.int().positive())
const poolRow = z.object({
  id: z.int(),
  name: z.string(),
  max: z.int(),
  total: z.int(), // devices
})

const poolDevice = z.object({
  router_name: routerName,
  note: z.string(),
  note_revision: z.int(),
  shared,
  online: wireBoolean,
  bandwidth: z.int(),
  max_bandwidth: z.int(), // of the device and the pool
  current_bandwidth: z.int(),
  export: z.string(), // country of its exit, in Chinese
  expire_date: time,
})

export const bandwidthPoolApi = {
  lists: read('bandwidth_pool/lists', 'session:all', {
    reads: 'near',
    summary: 'Bandwidth pools by name',
    ...list({ row: poolRow, filters: { search } }),
  }),
  info: read('bandwidth_pool/info', 'session:all', {
    reads: 'near',
    summary: 'One bandwidth pool',
    input: z.object({ id: poolId }),
    output: poolRow,
    example: { id: 1 },
  }),
  router: read('bandwidth_pool/router', 'session:all', {
    summary: 'Devices of a pool by name; searched by name and note, of one country',
    ...list({ row: poolDevice, filters: { pool_id: poolId, search, country: z.string().max(2).default('') } }),
    example: { pool_id: 1 },
  }),
  bandwidth: write('bandwidth_pool/bandwidth', 'router:edit:all', {
    summary: 'Bandwidth of a device of a pool',
    input: z.object({ router_name: routerName, bandwidth: bandwidthField }),
    done: 'changed',
    refreshes: ['bandwidth_pool/router', 'saas/router', 'saas/info'],
    example: { router_name: EXAMPLE.router_name, bandwidth: 50 },
  }),
} as const
