import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { type OpenvpnStep, planOpenvpn, settledOpenvpn } from '#infra/agent/drivers/linux/openvpn/plan.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import { hashOfText } from '#infra/agent/drivers/linux/processes/process-table.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { SERVICES, access, center, centerNetwork, network, pair, point } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const wantedOf = (document: RouterDocument) => wantedOpenvpn(renderingOf(document))

function stepsBetween(before: RouterDocument | null, after: RouterDocument | null): readonly OpenvpnStep[] {
  const old = before && renderingOf(before)
  return planOpenvpn(settledOpenvpn(wantedOpenvpn(old)), wantedOpenvpn(after && renderingOf(after, old?.slots)))
}
const toText = (step: OpenvpnStep): string => {
  switch (step.action) {
    case 'stop':
      return `stop ${step.devices.join(' ')}`
    case 'keys':
    case 'revoked':
      return `${step.action} ${step.number}`
    case 'addClients':
      return `admit ${step.device} ${step.names.join(' ')}`
    case 'moveClients':
      return `kick ${step.device} ${step.names.join(' ')}`
    case 'start':
      return `start ${step.device}`
  }
}
const textsBetween = (before: RouterDocument | null, after: RouterDocument | null) =>
  stepsBetween(before, after).map(toText)

const base = withKeys(center(centerNetwork()))
const second = network({
  network_number: 'N2',
  links: [{ ...access('N2', 1, 'B').client, peer: 'NL-B' }],
})
const changed = (over: object, document = base): RouterDocument => ({
  ...document,
  networks: document.networks.map((each, index) => (index === 0 ? { ...each, ...over } : each)),
})
const server = (over: object, service: 'router' | 'software' = 'router') => ({
  servers: base.networks[0]!.servers.map((each) => (each.service === service ? { ...each, ...over } : each)),
})
const links = (over: object) => ({
  links: base.networks[0]!.links.map((each, i) => (i === 0 ? { ...each, ...over } : each)),
})
const [account] = base.networks[0]!.servers[1]!.accounts

describe('plan of OpenVPN', () => {
  it('of every case to itself is empty, and from nothing starts each process once', async () => {
    const offenders = await findOffenders(Object.entries(CASES))((_, document) => {
      const equipped = withKeys(document)
      expect(stepsBetween(equipped, equipped)).toEqual([])
      const started = stepsBetween(null, equipped).flatMap((step) => (step.action === 'start' ? [step.device] : []))
      expect(started.toSorted()).toEqual(Object.keys(wantedOf(equipped).processes).toSorted())
    })
    expect(offenders).toEqual([])
  })

  it.each<[string, RouterDocument, string[]]>([
    ['port', changed(server({ port: 20_009 })), ['stop ov1r', 'start ov1r']],
    ['address of a server', changed(server({ ip: '100.64.0.2' })), ['stop ov1r', 'start ov1r']],
    ['ciphers', changed({ ciphers: 'sm' }), ['stop ov1r ov1s', 'start ov1r', 'start ov1s']],
    [
      'control key',
      changed({ control_key: '77'.repeat(256) }),
      ['stop ov1r ov1s', 'keys N1', 'start ov1r', 'start ov1s'],
    ],
    [
      'authority',
      withKeys(center(centerNetwork()), { ca: 'other' }),
      ['stop ov1r ov1s', 'keys N1', 'start ov1r', 'start ov1s'],
    ],
    ['revocation list', withKeys(center(centerNetwork()), { revoked: 'more' }), ['revoked N1']],
    ['address of a point', changed(links({ remote_ip: '100.64.0.77' })), ['kick ov1r NL-P1']],
    ['point that leaves', changed({ links: base.networks[0]!.links.slice(1) }), ['kick ov1r NL-P1']],
    [
      'point that comes',
      changed({ links: [...base.networks[0]!.links, access('N1', 3, 'A').server] }),
      ['admit ov1r NL-P3'],
    ],
    ['rate', changed(server({ rate_mbps: 10 })), []],
    [
      'prefix row',
      changed({
        routing: { ...base.networks[0]!.routing, rows: [{ permit: true, prefix: '10.0.0.0/8', ge: null, le: null }] },
      }),
      [],
    ],
    ['resolver', changed({ dns: ['10.0.0.9'] }), []],
    ['route of software members', changed(server({ routes: ['10.9.0.0/24'] }, 'software')), []],
    [
      'member',
      changed({ members: [...base.networks[0]!.members, { router_name: 'NL-P9', member_type: 'point' }] }),
      [],
    ],
    ['preference', changed(links({ preference: 45 })), []],
    ['account that leaves', changed(server({ accounts: [] }, 'software')), ['kick ov1s a.b@qiming']],
    [
      'account with a new password',
      changed(server({ accounts: [{ ...account, credential_version: 2 }] }, 'software')),
      ['kick ov1s a.b@qiming'],
    ],
    [
      'account that comes',
      changed(
        server({ accounts: [account, { ...account!, id: 10, name: 'c@qiming', ip: '100.64.16.10' }] }, 'software'),
      ),
      ['admit ov1s c@qiming'],
    ],
  ])('after a change of the %s', (_, after, steps) => {
    expect(textsBetween(base, after)).toEqual(steps)
  })

  it('runs one process at each end of a point link, without clients, and restarts it with port, addresses and targets', () => {
    for (const role of ['server', 'client'] as const) {
      const linked = (over: object) => withKeys(point(network({ links: [{ ...pair(role), ...over }] })))
      const steps = textsBetween(null, linked({}))
      expect(steps).toEqual(['keys N1', 'revoked N1', 'start ov1x1'])
      expect(wantedOf(linked({})).processes['ov1x1']).toMatchObject({
        role: 'peer',
        clients: {},
        peer: pair(role).peer,
      })
      for (const over of [
        { port: 24_009 },
        { remotes: [{ host: '203.0.113.77', port: 1 }] },
        { local_ip: '100.127.1.3' },
      ])
        expect(textsBetween(linked({}), linked(over))).toEqual(['stop ov1x1', 'start ov1x1'])
      expect(textsBetween(linked({}), linked({ preference: 61, peer_asn: 9 }))).toEqual([])
    }
  })

  it('takes everything off', () => {
    expect(textsBetween(base, null)).toEqual(['stop ov1r ov1s', 'keys N1', 'revoked N1'])
  })

  it('starts nothing as long as there is no certificate, and says which networks wait', () => {
    const waiting = { ...base, authorities: base.authorities.map((each) => ({ ...each, certificate: null })) }
    expect(textsBetween(null, waiting)).toEqual([])
    expect(wantedOf(waiting).waiting).toEqual(['N1'])
    expect(wantedOf(center(centerNetwork())).waiting).toEqual(['N1']) // of a hub without authorities
  })

  it('has an empty client folder before a server without members starts', () => {
    const lonely = withKeys(center(centerNetwork({ links: [], servers: [SERVICES[0]!] })))
    expect(textsBetween(null, lonely)).toEqual(['keys N1', 'revoked N1', 'admit ov1r ', 'start ov1r'])
  })

  it('restarts what runs with another text, starts what is missing, and leaves alone what gave up', () => {
    const wanted = wantedOf(base)
    const settled = settledOpenvpn(wanted)
    const plan = (over: object) => planOpenvpn({ ...settled, ...over }, wanted).map(toText)
    expect(plan({ processes: { ...settled.processes, ov1r: 'other' } })).toEqual(['stop ov1r', 'start ov1r'])
    expect(plan({ processes: { ov1s: settled.processes['ov1s'] } })).toEqual(['start ov1r'])
    expect(plan({ processes: { ...settled.processes, ov9c1: 'x' } })).toEqual(['stop ov9c1'])
    const hash = hashOfText(wanted.processes['ov1r']!.text)
    expect(plan({ processes: { ov1s: settled.processes['ov1s'] }, paused: { ov1r: hash } })).toEqual([])
    expect(plan({ processes: { ov1s: settled.processes['ov1s'] }, paused: { ov1r: 'other' } })).toEqual(['start ov1r'])
    expect(plan({ expiring: 'ov1s' })).toEqual(['stop ov1s', 'start ov1s'])
  })

  it('has no step of a network that neither document changes', () => {
    const cases = Object.values(CASES).filter((document) =>
      document.networks.every((n) => n.network_number === 'N1' && !n.isolated),
    )
    const slots = fc.constantFrom(...cases)
    fc.assert(
      fc.property(slots, slots, (one, other) => {
        const together = (document: RouterDocument): RouterDocument =>
          withKeys({ ...document, networks: [...point(second).networks, ...document.networks] })
        const steps = stepsBetween(together(one), together(other))
        expect(steps.filter(({ networks }) => networks.includes('N2'))).toEqual([])
        expect(steps.flatMap(({ reconnects }) => reconnects).filter((device) => device.startsWith('ov1'))).toEqual([])
      }),
    )
  })

  it('names a reconnect for each process that is started, and for no other', () => {
    const cases = fc.constantFrom(...Object.values(CASES).map((document) => withKeys(document)))
    fc.assert(
      fc.property(cases, cases, (one, other) => {
        const steps = stepsBetween(one, other)
        const started = steps.flatMap((step) => (step.action === 'start' ? [step.device] : []))
        expect([...new Set(steps.flatMap(({ reconnects }) => reconnects))].toSorted()).toEqual(started.toSorted())
      }),
    )
  })
})
