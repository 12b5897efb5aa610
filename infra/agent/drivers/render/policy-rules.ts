import type { RouterDocument } from '#contract/device/document.ts'
import { toNetwork } from '#domain/network/addresses/segments.ts'
import { type Instance, isPoint } from './instance.ts'
import type { Target } from './target.ts'

/*
 * Renders policy rules and static LAN routes, as a batch of `ip`. Tunnel routes and static ones are in a table of their own,
 * so the main table and its default route stay as they are.
 */

/** Routing table of the kernel for routes of tunnels. */
export const TUNNEL_TABLE = 200
/** Mark of the outer packets of tunnels (openvpn.ts). */
const OUTER_MARK = 100
/** Protocol number of our rules and routes, by which they differ from those of others. */
export const ROUTE_PROTOCOL = 110
/** Priorities of our rules. */
export const RULE_PRIORITIES = { first: 100, last: 240 } as const

const OUTER = RULE_PRIORITIES.first
const CONNECTED = 200
const TUNNELS = 210
const TRANSIT = 220
const LAN_DEFAULT = 230

/**
 * Rules by priority. Defaults of tunnels are for what comes out of tunnels of a centre, and for LANs that receive them: the
 * device's own packets and those of other LANs take the main table with its default.
 */
export function renderPolicyRules({ networks }: Instance, { lans }: RouterDocument, target: Target): string {
  const transit = networks.filter((network) => !isPoint(network)).flatMap(({ tunnels }) => tunnels)
  const receives = networks.some(({ network }) => network.routing.default.mode === 'receive')
  const rules = [
    `pref ${OUTER} fwmark ${OUTER_MARK} lookup main`,
    `pref ${CONNECTED} lookup main suppress_prefixlength 0`,
    `pref ${TUNNELS} lookup ${TUNNEL_TABLE} suppress_prefixlength 0`,
    ...transit.map(({ device }) => `pref ${TRANSIT} iif ${device} lookup ${TUNNEL_TABLE}`),
    ...(receives ? target.lan : []).map((name) => `pref ${LAN_DEFAULT} iif ${name} lookup ${TUNNEL_TABLE}`),
  ]
  const routes = lans.flatMap(({ segment, via }) => (via === null ? [] : [`${toNetwork(segment)} via ${via}`]))
  return `${[
    ...rules.map((rule) => `rule add ${rule} protocol ${ROUTE_PROTOCOL}`),
    ...routes.map((route) => `route replace ${route} table ${TUNNEL_TABLE} protocol ${ROUTE_PROTOCOL}`),
  ].join('\n')}\n`
}
