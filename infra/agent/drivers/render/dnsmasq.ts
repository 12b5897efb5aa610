import { DNS_PORT } from './nft.ts'
import type { Target } from './target.ts'
import type { TunnelNetwork } from './tunnels.ts'

/**
 * The resolver for hosts behind this device; the packet filter sends it what they ask the device for. The networks' servers
 * come first, its own resolvers after them, so that a cut tunnel does not take DNS away. Null: nothing was set.
 */
export function renderDnsmasq(networks: readonly TunnelNetwork[], { lan }: Target): string | null {
  const servers = [...new Set(networks.flatMap(({ network }) => network.dns))]
  if (servers.length === 0 || lan.length === 0) return null
  return `${[
    `port=${DNS_PORT}`,
    ...lan.map((name) => `interface=${name}`),
    'except-interface=lo',
    'bind-dynamic',
    'no-hosts',
    'strict-order',
    ...servers.map((address) => `server=${address}`),
    'resolv-file=/etc/resolv.conf',
  ].join('\n')}\n`
}
