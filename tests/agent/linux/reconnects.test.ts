import { expect, it } from 'vitest'
import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { reconnectsBetween } from '#domain/network/compile/reconnects.ts'
import { planOpenvpn, settledOpenvpn } from '#infra/agent/drivers/linux/openvpn/plan.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { TARGET } from '../support/render-case.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

/** Links and software services that the plan of the driver moves, of those that are in both documents. */
function plannedReconnects(one: RouterDocument, other: RouterDocument) {
  const before = renderingOf(one)
  const after = renderingOf(other, before.slots)
  const steps = planOpenvpn(settledOpenvpn(wantedOpenvpn(before)), wantedOpenvpn(after))
  const moved = new Set(
    steps.flatMap((step) => (step.action === 'stop' ? step.devices : step.action === 'start' ? [step.device] : [])),
  )
  const kicked = new Set(
    steps.flatMap((step) => (step.action === 'moveClients' ? step.names.map((name) => `${step.device} ${name}`) : [])),
  )
  const networks = [...listNetworks(one, before.slots), ...listNetworks(other, after.slots)]
  const links = networks.flatMap(({ tunnels }) =>
    tunnels.flatMap((tunnel) => {
      const own = 'links' in tunnel ? tunnel.links : 'link' in tunnel ? [tunnel.link] : []
      return own
        .filter(({ peer }) => moved.has(tunnel.device) || kicked.has(`${tunnel.device} ${peer}`))
        .map(({ id }) => id)
    }),
  )
  const software = networks.flatMap(({ network, tunnels }) =>
    tunnels.some(({ type, device }) => type === 'software-server' && moved.has(device)) ? [network.network_number] : [],
  )
  return { links: inBoth(links, one, other, ({ links: own }) => own.map(({ id }) => id)), software: unique(software) }
}

function inBoth(
  ids: readonly string[],
  one: RouterDocument,
  other: RouterDocument,
  list: (n: DocumentNetwork) => string[],
) {
  const [before, after] = [one, other].map(({ networks }) => new Set(networks.flatMap(list)))
  return unique(ids.filter((id) => before?.has(id) && after?.has(id)))
}
const unique = (ids: readonly string[]) => [...new Set(ids)].toSorted()

const inNetworks = (over: (network: DocumentNetwork) => Partial<DocumentNetwork>) => (document: RouterDocument) => ({
  ...document,
  networks: document.networks.map((network) => ({ ...network, ...over(network) })),
})
const inLinks = (over: (link: DocumentLink) => Partial<DocumentLink>) =>
  inNetworks(({ links }) => ({ links: links.map((link, index) => (index === 0 ? { ...link, ...over(link) } : link)) }))
const inServers = (over: Partial<DocumentNetwork['servers'][number]>) =>
  inNetworks(({ servers }) => ({ servers: servers.map((server) => ({ ...server, ...over })) }))
const otherKeys = (over: Parameters<typeof withKeys>[1]) => (document: RouterDocument) => withKeys(document, over)

const CHANGES: Readonly<Record<string, (document: RouterDocument) => RouterDocument>> = {
  nothing: (document) => document,
  ciphers: inNetworks(({ ciphers }) => ({ ciphers: ciphers === 'sm' ? 'default' : 'sm' })),
  'control key': inNetworks(() => ({ control_key: '66'.repeat(256) })),
  authority: otherKeys({ ca: 'other' }),
  'revocation list': otherKeys({ revoked: 'more' }),
  members: inNetworks(() => ({ members: [] })),
  rows: inNetworks(({ routing }) => ({ routing: { ...routing, rows: [], paths: 3 } })),
  dns: inNetworks(() => ({ dns: ['10.9.9.9'] })),
  'no links': inNetworks(() => ({ links: [] })),
  'port of a service': inServers({ port: 25_000 }),
  'mask of a service': inServers({ mask: 21 }),
  'rate of a service': inServers({ rate_mbps: 7 }),
  'routes of a service': inServers({ routes: ['10.99.0.0/16'] }),
  'accounts of a service': inServers({ accounts: [] }),
  'pool of a service': inServers({ pool: { first: '100.64.16.9', last: '100.64.16.99' } }),
  'peer of a link': inLinks(({ peer }) => ({ peer: `${peer}9` })),
  'own address of a link': inLinks(() => ({ local_ip: '100.64.0.99' })),
  'address of the peer': inLinks(() => ({ remote_ip: '100.64.0.98' })),
  'mask of a link': inLinks(({ mask }) => ({ mask: mask === 30 ? 29 : mask })),
  'port of a link': inLinks(({ port }) => ({ port: port === null ? null : port + 1 })),
  'targets of a link': inLinks(({ remotes }) => ({ remotes: remotes.map((remote) => ({ ...remote, port: 7 })) })),
  'no target of a link': inLinks(() => ({ remotes: [] })),
  'probe of a link': inLinks(() => ({ key: '77'.repeat(16), endpoint: { host: '10.0.0.1', port: 9 } })),
  'routing of a link': inLinks(() => ({ preference: 11, peer_asn: 77, peer_prefixes: [], rate_mbps: 3 })),
}

/** Without POP nodes, which the driver does not run. */
const documents = Object.entries(CASES).filter(([, { networks }]) => networks.every(({ isolated }) => !isolated))

it('the links that the console says will reconnect are those that the driver reconnects', async () => {
  const pairs = documents.flatMap(([name, document]) =>
    Object.entries(CHANGES).map(([title, change]) => [`${name}: ${title}`, withKeys(document), change] as const),
  )
  const byName = new Map(pairs.map(([title, document, change]) => [title, { document, change }]))
  let checked = 0
  const offenders = await findOffenders([...byName.keys()])((title) => {
    const { document, change } = byName.get(title)!
    const after = change(document)
    if (checkTunnels(after, TARGET) !== null) return // the hub compiles no such document
    checked += 1
    const said = reconnectsBetween(document, after)
    expect({ links: unique(said.links), software: unique(said.software) }).toEqual(plannedReconnects(document, after))
  })
  expect(offenders).toEqual([])
  expect(checked).toBeGreaterThan(500)
})
