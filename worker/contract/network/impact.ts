import * as z from 'zod'
import { EXAMPLE, endpoint } from '#contract/kernel/endpoint.ts'
import { routerName } from '#contract/kernel/fields.ts'

/** Calls whose effect is computed before they are made, by the second segment of their path. */
export const IMPACT_CALLS = [
  'center_link',
  'ciphers',
  'default_route',
  'dns',
  'edit_center_gateway',
  'edit_center_link_gateway',
  'edit_ip_address_pool',
  'edit_point_link',
  'edit_prefix',
  'edit_routing',
  'enable_center_link',
  'fixed_port',
  'member_ov',
  'quagga',
  'quagga_disable',
  'quagga_enable',
  'restore',
] as const
export type ImpactCall = (typeof IMPACT_CALLS)[number]

const linkEffect = z.enum(['reconnects', 'opens', 'closes'])
export const LINK_EFFECT_NAME = { reconnects: '重新连接', opens: '新建', closes: '断开' } as const

const networkImpact = z.object({
  /** Routers whose configuration it moves. */
  routers: z.int(),
  /** Number of `routers` that are offline: they are updated once they are back. The first few by name. */
  offline: z.int(),
  offline_routers: z.array(z.object({ router_name: routerName, router_name_note: z.string() })),
  /** Links by effect, of both ends together; one with an end that is away does not reconnect. */
  links: z.record(linkEffect, z.int()),
  /** First few links that the change moves. */
  moved_links: z.array(
    z.object({
      router_name: routerName,
      router_name_note: z.string(),
      center_router_name: routerName,
      center_router_name_note: z.string(),
      effect: linkEffect,
    }),
  ),
})
export type NetworkImpact = z.infer<typeof networkImpact>

export const impact = {
  impact: endpoint({
    method: 'POST',
    path: 'network/impact',
    access: 'network:edit',
    summary: 'What a call that changes settings would do: the same rules and refusals, and nothing is written',
    unmetered: true,
    input: z.object({
      call: z.enum(IMPACT_CALLS),
      /** Input of the call itself. */
      input: z.record(z.string(), z.unknown()),
    }),
    output: networkImpact,
    example: { call: 'dns', input: { network_number: EXAMPLE.network_number, dns: ['10.0.0.53'] } },
  }),
} as const
