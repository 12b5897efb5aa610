import type { RouterDocument } from '#contract/device/document.ts'
import { renderBandwidth, renderRates } from './bandwidth.ts'
import { renderFrr } from './frr.ts'
import { listInstances } from './instance.ts'
import { renderNft, DNS_PORT } from './nft.ts'
import { renderOpenvpn } from './openvpn.ts'
import { renderPolicyRules } from './policy-rules.ts'
import type { Slots } from './slots.ts'
import type { Target } from './target.ts'
import { listNetworks, type TunnelNetwork } from './tunnels.ts'

/**
 * Renders a document into configuration files of the tools that carry it, by path. Pure: the files depend only on the
 * document, its slots and the device. A document of protocol 1 names no tunnels and gives only the text for people. A limit
 * of the running files (`before`) that the document lifts is removed.
 */
export function renderDocument(
  document: RouterDocument,
  slots: Slots,
  target: Target,
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const networks = listNetworks(document, slots)
  const instances = listInstances(document, networks)
  const dnsmasq = renderDnsmasq(
    networks.filter(({ network }) => !network.isolated),
    target,
  )
  return new Map([
    ...document.networks.map(
      (network) => [`network-${network.network_number}.txt`, renderSummary(document.router_name, network)] as const,
    ),
    ...networks.flatMap((network) => renderOpenvpn(network, target)),
    ...instances.map((instance) => [`frr/bgpd${instance.suffix}.conf`, renderFrr(instance, target)] as const),
    ...instances.map((instance) => [`nft/netloom${instance.suffix}.nft`, renderNft(instance, target)] as const),
    ...instances
      .filter(({ suffix }) => suffix === '')
      .map((instance) => ['ip/netloom.ip', renderPolicyRules(instance, document, target)] as const),
    ...instances.flatMap((instance) => {
      const rates = renderRates(instance)
      return rates === null ? [] : [[`tc/netloom${instance.suffix}.tc`, rates] as const]
    }),
    ...renderBandwidth(document, target, before),
    ...(dnsmasq === null ? [] : [['dnsmasq.conf', dnsmasq] as const]),
  ])
}

/**
 * DNS resolver for hosts behind this device; the packet filter gives it the queries that they send to the device. Servers
 * of the networks come first, then the device's own resolvers, so that a cut tunnel does not take DNS away. Null if no
 * server is set.
 */
function renderDnsmasq(networks: readonly TunnelNetwork[], { lan }: Target): string | null {
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

type Network = RouterDocument['networks'][number]

/** Human-readable text of one network of a router: its role, addresses and peers. Keys are left out. */
function renderSummary(routerName: string, network: Network): string {
  return [
    `# network ${network.network_number} on ${routerName}`,
    '',
    `role       ${network.member_type}`,
    `ciphers    ${network.ciphers}`,
    ...network.addresses.map((a) => `address    ${a.ip} in ${a.segment}, centre ${a.center}`),
    ...(network.software_segment ? [`software   ${network.software_segment}`] : []),
    '',
    ...section(
      'members',
      network.members.map((m) => `${m.member_type.padEnd(6)} ${m.router_name}`),
    ),
    ...section(
      'links',
      network.links.map((l) => `${l.role.padEnd(6)} ${l.peer}  ${endpointText(l)}`),
    ),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] => [
  `${title} (${lines.length})`,
  ...lines.map((line) => `  ${line}`),
  '',
]

function endpointText({ role, endpoint }: Network['links'][number]): string {
  if (role === 'server') return 'answers here'
  return endpoint ? `to ${endpoint.host} port ${endpoint.port}` : 'endpoint not known yet'
}
