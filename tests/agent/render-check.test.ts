import { expect, it } from 'vitest'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import type { DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { TARGET } from './support/render-case.ts'
import { CASES } from './support/tunnel-documents.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const center = CASES['center']!
const [network] = center.networks as [DocumentNetwork]
const [router, software] = network.servers as [DocumentNetwork['servers'][number], DocumentNetwork['servers'][number]]
const [link] = network.links as [DocumentNetwork['links'][number]]
const twin = CASES['twin-link-server']!.networks[0]!
const { rows } = CASES['prefix-rows-center']!.networks[0]!.routing

const withPart = (over: Partial<DocumentNetwork>): RouterDocument => ({
  ...center,
  networks: [{ ...network, ...over }],
})
const links = (over: Partial<typeof link>) => withPart({ links: [{ ...link, ...over }] })
const account = (ip: string, id = 1) => ({ id, name: `a${id}`, ip, credential_version: 0 })
const softwareAs = (over: Partial<typeof software>) => withPart({ servers: [router, { ...software, ...over }] })
const row = (ge: number | null, le: number | null) =>
  withPart({ routing: { ...network.routing, rows: [{ ...rows[0]!, prefix: '10.0.0.0/16', ge, le }] } })

it('refuses each document that a device cannot carry, with the reason', async () => {
  const offenders = await findOffenders<[string, RouterDocument, string]>([
    ['two services at one port', softwareAs({ port: router.port }), '端口20000已被占用'],
    ['a service at the port of the probe', softwareAs({ port: TARGET.probePort }), '端口40000已被占用'],
    ['a service at the port of BFD', softwareAs({ port: 3784 }), '端口3784已被占用'],
    [
      'a twin link at the port of a service',
      {
        ...center,
        networks: [{ ...twin, links: twin.links.map((l) => (l.kind === 'center' ? { ...l, port: 20_001 } : l)) }],
      },
      '端口20001已被占用',
    ],
    ['two services of one kind', withPart({ servers: [router, { ...router, port: 5000 }] }), '服务重复'],
    ['a service at the first address of its segment', softwareAs({ ip: '100.64.16.0' }), '服务地址不能使用'],
    ['an account outside the segment', softwareAs({ accounts: [account('10.0.0.1')] }), '软件成员地址'],
    ['an account at the address of the service', softwareAs({ accounts: [account(software.ip)] }), '软件成员地址'],
    [
      'two accounts at one address',
      softwareAs({ accounts: [1, 2].map((id) => account('100.64.16.9', id)) }),
      '软件成员地址',
    ],
    ['a pool backwards', softwareAs({ pool: { first: '100.64.16.9', last: '100.64.16.2' } }), '软件成员地址'],
    ['a pool outside the segment', softwareAs({ pool: { first: '100.64.16.9', last: '100.64.99.2' } }), '软件成员地址'],
    ['a peer outside the segment', links({ remote_ip: '10.0.0.1' }), '不在同一网段'],
    ['an access link without a segment', links({ mask: 32 }), '不在同一网段'],
    [
      'a twin link between one address',
      links({ kind: 'center', port: 5000, mask: 32, remote_ip: link.local_ip }),
      '不在同一网段',
    ],
    ['a peer at the own address', links({ remote_ip: link.local_ip }), '不在同一网段'],
    ['a link whose addresses are not set', links({ local_ip: '0.0.0.0', remote_ip: '0.0.0.0' }), '不在同一网段'],
    [
      'a peer that the service does not serve',
      links({ local_ip: '100.99.0.1', remote_ip: '100.99.0.2', mask: 30 }),
      '与服务的不一致',
    ],
    ['an access link without a service', withPart({ servers: [] }), '与服务的不一致'],
    ['two peers at one address', withPart({ links: [link, { ...link, id: 'N1:X>NL-A', peer: 'X' }] }), '对端地址重复'],
    [
      'one peer twice',
      withPart({ links: [link, { ...link, id: 'N1:X>NL-A', remote_ip: '100.64.0.99' }] }),
      '连接的对端重复',
    ],
    ['a peer of the own autonomous system', links({ peer_asn: center.asn }), '自治系统号'],
    ['a peer without an autonomous system', links({ peer_asn: 0 }), '自治系统号'],
    ['a twin link without a port', links({ kind: 'center', port: null }), '连接没有端口'],
    ['rows that end before they begin', row(24, 20), '掩码范围'],
    ['rows that begin before the mask', row(8, null), '掩码范围'],
    ['a resolver that is no host', withPart({ dns: ['0.0.0.0'] }), 'DNS地址'],
    ['a default route among the LANs', { ...center, lans: [{ segment: '0.0.0.0/0', via: null }] }, '本地网段'],
    [
      'two networks with one segment',
      {
        ...center,
        networks: [network, { ...network, network_number: 'N2', servers: [], links: [{ ...link, role: 'client' }] }],
      },
      '与其他网段重叠',
    ],
  ])((_, document, reason) => {
    expect(checkTunnels(document, TARGET)?.reason).toMatch(/^配置校验失败：/)
    expect(checkTunnels(document, TARGET)?.reason).toContain(reason)
  })
  expect(offenders).toEqual([])
})

it('lets isolated networks have the same segments, but no port twice', () => {
  const node = CASES['pop-node']!
  expect(checkTunnels(node, TARGET)).toBeNull()
  const [first, second] = node.networks as [DocumentNetwork, DocumentNetwork]
  const clash = { ...node, networks: [first, { ...second, servers: first.servers }] }
  expect(checkTunnels(clash, TARGET)?.reason).toContain('已被占用')
})
