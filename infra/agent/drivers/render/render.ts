import type { RouterDocument } from '#contract/device/document.ts'
import { renderBandwidth } from './bandwidth.ts'
import { renderDnsmasq } from './dnsmasq.ts'
import { renderFrr } from './frr.ts'
import { listInstances } from './instance.ts'
import { renderNft } from './nft.ts'
import { renderOpenvpn } from './openvpn.ts'
import { renderRates } from './rates.ts'
import type { Slots } from './slots.ts'
import { renderSummary } from './summary.ts'
import type { Target } from './target.ts'
import { listNetworks } from './tunnels.ts'

/**
 * Configuration files of the tools that carry a document, by path. Pure: what a document, its slots and a device do not say
 * is in none of them. A document of protocol 1 names no tunnels, so that only the text for people is made of it. A limit of the
 * running files (`before`) that the document lifts is taken off.
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
    ...networks.flatMap(renderOpenvpn),
    ...instances.map((instance) => [`frr/bgpd${instance.suffix}.conf`, renderFrr(instance, target)] as const),
    ...instances.map((instance) => [`nft/netloom${instance.suffix}.nft`, renderNft(instance, target)] as const),
    ...instances.flatMap((instance) => {
      const rates = renderRates(instance)
      return rates === null ? [] : [[`tc/netloom${instance.suffix}.tc`, rates] as const]
    }),
    ...renderBandwidth(document, target, before),
    ...(dnsmasq === null ? [] : [['dnsmasq.conf', dnsmasq] as const]),
  ])
}
