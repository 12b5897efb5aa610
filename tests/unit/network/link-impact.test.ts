import { describe, expect, it } from 'vitest'
import { documentLink, documentNetwork } from '#contract/device/document.ts'
import { linkImpact } from '#domain/network/history/setting-change.ts'

const link = (peer: string, role: 'client' | 'server', over: object = {}) =>
  documentLink.parse({
    id: role === 'client' ? `N1:P>${peer}` : `N1:${peer}>C`,
    peer,
    role,
    endpoint: null,
    key: 'ab'.repeat(32),
    ...over,
  })
const network = (links: readonly ReturnType<typeof link>[], over: object = {}) =>
  documentNetwork.parse({
    network_number: '1000000000',
    member_type: 'point',
    ciphers: 'default',
    addresses: [],
    software_segment: null,
    members: [],
    links,
    ...over,
  })
const name = (id: number) => (id === 1 ? 'C' : 'P')
const server = (port: number) => ({
  service: 'router',
  port,
  ip: '10.0.0.1',
  mask: 24,
  pool: null,
  accounts: [],
  routes: [],
  rate_mbps: null,
})

describe('links that a change moves', () => {
  it('open and close with the membership of an end', () => {
    const one = network([link('C', 'client')])
    const to = { id: 'N1:P>C', client: 'P', server: 'C' }
    expect(linkImpact([{ routerId: 2, before: null, after: one }], name)).toEqual([{ ...to, effect: 'opens' }])
    expect(linkImpact([{ routerId: 2, before: one, after: null }], name)).toEqual([{ ...to, effect: 'closes' }])
  })

  it('reconnect where the tunnel changes, and count once for both ends', () => {
    const [before, after] = [{}, { ciphers: 'sm' }]
    const moved = [
      { routerId: 1, before: network([link('P', 'server')], before), after: network([link('P', 'server')], after) },
      { routerId: 2, before: network([link('C', 'client')], before), after: network([link('C', 'client')], after) },
    ]
    expect(linkImpact(moved, name)).toEqual([{ id: 'N1:P>C', client: 'P', server: 'C', effect: 'reconnects' }])
  })

  it('reconnect where the centre answers on another port, and stay where only routes change', () => {
    const at = (port: number) => network([link('P', 'server')], { servers: [server(port)] })
    expect(linkImpact([{ routerId: 1, before: at(1), after: at(2) }], name)).toMatchObject([{ effect: 'reconnects' }])
    const routed = network([link('P', 'server', { preference: 45, peer_prefixes: ['10.1.0.0/24'] })], {
      servers: [server(1)],
      dns: ['10.0.0.53'],
    })
    expect(linkImpact([{ routerId: 1, before: at(1), after: routed }], name)).toEqual([])
  })
})
