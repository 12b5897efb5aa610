import * as z from 'zod'
import { EXAMPLE, endpoint } from '#contract/kernel/endpoint.ts'
import { networkNumber, routerName, search } from '#contract/kernel/fields.ts'

const routeState = z.enum(['chosen', 'standby', 'blocked'])
export const ROUTE_STATE_NAME = { chosen: '已选', standby: '备用', blocked: '被拦截' } as const

const effectiveRoute = z.object({
  prefix: z.string(),
  /** Member that declares the route. */
  router_name: z.string(),
  router_name_note: z.string(),
  /** Member at the other end of the link. */
  via: z.string(),
  via_note: z.string(),
  state: routeState,
  /** Number of the prefix row that denies it; 0: no row permits it; null: not blocked. */
  blocked_by: z.int().nullable(),
})

export const effectiveRoutes = {
  routes: endpoint({
    method: 'GET',
    path: 'network/routes',
    access: 'session',
    summary: 'Effective routes of one hardware member by what is configured; to an address, the longest prefix first',
    input: z.object({
      network_number: networkNumber,
      /** Member whose routes are asked for; without it the first point, or else the first centre. */
      router_name: routerName.optional(),
      search,
    }),
    output: z.array(effectiveRoute),
    /** Number of all routes found, and the member they are of; empty where the network has no hardware. */
    extra: { count: z.int(), router_name: z.string() },
    example: { network_number: EXAMPLE.network_number },
  }),
} as const
