import { type Instance, advertisesDefault } from './instance.ts'
import { type Target, NO_TARGET } from './target.ts'
import type { TunnelNetwork } from './tunnels.ts'
import { DEVICE_PORT } from '#contract/network/limits.ts'

/* Renders the packet filter (nftables) of an instance: one table that is replaced as a whole. */

export const DNS_PORT = DEVICE_PORT.dns // dnsmasq answers there
const BGP_PORT = 179
export const BFD_PORT = DEVICE_PORT.bfd
/** Firewall mark of connections that this device forwards to its WAN for others. */
const FORWARD_MARK = '0x6e6c'

/** The filter accepts by default, so other firewalls of the device stay in force. It drops only traffic of tunnels. */
export function renderNft({ networks, suffix }: Instance, device: Target): string {
  const target = suffix === '' ? device : { ...NO_TARGET, probePort: device.probePort }
  const answersDns = target.lan.length > 0 && networks.some(({ network }) => network.dns.length > 0)
  const forwardsDefault = target.wan.length > 0 && networks.some(advertisesDefault)
  return `${[
    'table inet netloom {}',
    'delete table inet netloom',
    'table inet netloom {',
    ...chain('input', 'type filter hook input priority filter; policy accept;', ['iifname "ov*" jump tunnel_input']),
    ...chain('tunnel_input', null, [
      'ct state established,related accept',
      'meta l4proto icmp accept',
      `tcp dport ${BGP_PORT} accept`,
      `udp dport ${set([BFD_PORT, ...(target.probePort > 0 ? [target.probePort] : [])].map(String))} accept`,
      'drop',
    ]),
    ...chain('forward', 'type filter hook forward priority filter; policy accept;', [
      'iifname "ov*" jump tunnel_forward',
      'oifname "ov*" jump tunnel_forward',
    ]),
    ...chain('tunnel_forward', null, [
      'tcp flags syn / syn,rst tcp option maxseg size set rt mtu',
      'ct state established,related accept',
      ...networks.flatMap((network) => forwardLines(network, target)),
      'drop', // also from one network to another
    ]),
    ...(answersDns
      ? chain('prerouting', 'type nat hook prerouting priority dstnat; policy accept;', [
          `iifname ${quoted(target.lan)} fib daddr type local udp dport 53 redirect to :${DNS_PORT}`,
          `iifname ${quoted(target.lan)} fib daddr type local tcp dport 53 redirect to :${DNS_PORT}`,
        ])
      : []),
    ...(forwardsDefault
      ? chain('postrouting', 'type nat hook postrouting priority srcnat; policy accept;', [
          `oifname ${quoted(target.wan)} ct mark ${FORWARD_MARK} masquerade`,
        ])
      : []),
    '}',
  ].join('\n')}\n`
}

function forwardLines(network: TunnelNetwork, target: Target): string[] {
  const { wan } = target
  const own = quoted(tunnelNames(network))
  const local = localNames(network, target)
  return [
    `iifname ${own} oifname ${own} accept`,
    ...(local === null ? [] : [`iifname ${own} oifname ${local} accept`, `iifname ${local} oifname ${own} accept`]),
    ...(wan.length > 0 && advertisesDefault(network)
      ? [`iifname ${own} oifname ${quoted(wan)} ct mark set ${FORWARD_MARK} accept`]
      : []),
  ]
}

/** Interfaces whose segments the network reaches: all but the WAN where connected segments are announced, else LAN ports. */
function localNames({ network }: TunnelNetwork, { lan, wan }: Target): string | null {
  if (network.isolated) return null
  if (network.routing.announce === 'connected') return `!= ${quoted([...wan, 'ov*'])}`
  return lan.length > 0 ? quoted(lan) : null
}

/** Interface names of a network's tunnels; `ov1*` would also match those of network 10. */
const tunnelNames = ({ slot }: TunnelNetwork): string[] => [`ov${slot}c*`, `ov${slot}r`, `ov${slot}s`, `ov${slot}x*`]

const set = (items: readonly string[]): string => `{ ${items.join(', ')} }`
const quoted = (names: readonly string[]): string => set(names.map((name) => `"${name}"`))

const chain = (name: string, hook: string | null, rules: readonly string[]): string[] => [
  `  chain ${name} {`,
  ...(hook === null ? [] : [hook]).concat(rules).map((line) => `    ${line}`),
  '  }',
]
