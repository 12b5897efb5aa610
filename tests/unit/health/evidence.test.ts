import { describe, expect, it } from 'vitest'
import type { LinkView, PresenceState } from '#contract/kernel/protocol.ts'
import type { AttentionMember } from '#domain/health/attention-facts.ts'
import { row } from '#domain/health/attention-facts.ts'
import { devicesBehind, findRestart, findSite, listFaultyLinks, toStepFacts } from '#domain/health/evidence.ts'

const member = (
  routerName: string,
  state: PresenceState = 'online',
  over: Partial<AttentionMember> = {},
): AttentionMember => ({
  routerName,
  label: `名${routerName}`,
  routerType: 1,
  presence: { state, since: 1, last_seen: 1, reason: '' },
  config: { state: 'applied', version: 1, applied_version: 1, reason: '', at: 1 },
  networks: [{ number: 'N1', memberType: 'point' }],
  unsupported: [],
  remoteHost: null,
  ...over,
})
const link = (over: Partial<LinkView> = {}): LinkView => ({
  id: 'N1/p/c',
  router_name: 'p',
  center_router_name: 'c',
  state: 'one_sided',
  since: 1,
  reason: '',
  rtt_ms: null,
  client_up: true,
  server_up: true,
  ...over,
})
const facts = { name: '名', cause: '原因' }
const namesOf = (members: readonly AttentionMember[]) => members.map(({ routerName }) => routerName)

describe('devices behind a row', () => {
  const center = member('c', 'offline', { networks: [{ number: 'N1', memberType: 'center' }] })
  const members = [center, member('p'), member('q', 'offline'), member('s', 'offline', { routerType: 2 })]
  it('are the object, both ends, the centres of a network, or all absent devices', () => {
    const behind = (target: Partial<Parameters<typeof devicesBehind>[0]> & { type: 'router' }) =>
      namesOf(devicesBehind({ ...row('link_down', target, facts).target }, members))
    expect(behind({ type: 'router', router_name: 'q' })).toEqual(['q'])
    const ends = { type: 'link', network_number: 'N1', router_name: 'p', center_router_name: 'c' } as const
    expect(namesOf(devicesBehind(row('link_down', ends, facts).target, members))).toEqual(['c', 'p'])
    const network = { type: 'network', network_number: 'N1' } as const
    expect(namesOf(devicesBehind(row('network_down', network, facts).target, members))).toEqual(['c'])
    expect(namesOf(devicesBehind(row('fleet_offline', { type: 'members' }, facts).target, members))).toEqual(['c', 'q'])
    expect(devicesBehind(row('quota_full', { type: 'quota' }, facts).target, members)).toEqual([])
  })
})

describe('devices behind the same public address', () => {
  const at = (name: string, remoteHost: string | null, state: PresenceState = 'online') =>
    member(name, state, { remoteHost })
  it('are counted with the device itself; an IPv6 site is its /64', () => {
    const members = [at('a', '203.0.113.7', 'offline'), at('b', '203.0.113.7'), at('c', '203.0.113.8')]
    expect(findSite(members[0], members)).toEqual({ address: '203.0.113.7', devices: 2, offline: 1 })
    const six = [at('a', '2001:db8:1:2::1', 'offline'), at('b', '2001:db8:1:2:9::1', 'offline')]
    expect(findSite(six[0], six)).toMatchObject({ devices: 2, offline: 2 })
  })
  it('are unknown for a private address, none, or a device that is alone', () => {
    const members = [at('a', '10.0.0.1'), at('b', '10.0.0.1'), at('c', null), at('d', '203.0.113.9')]
    expect(members.map((one) => findSite(one, members))).toEqual([null, null, null, null])
    expect(findSite(undefined, members)).toBeNull()
  })
  it('do not count the object among those that are away', () => {
    const site = { address: '203.0.113.7', devices: 3, offline: 2 }
    const away = [at('a', '203.0.113.7', 'offline')]
    expect(toStepFacts(site, [], away, String).site).toEqual({ others: 2, away: 1 })
    expect(toStepFacts(site, [], [at('a', '203.0.113.7')], String).site).toEqual({ others: 2, away: 2 })
  })
})

describe('links of a row', () => {
  it('are those that are not up, the newest fault first; of a link only this one', () => {
    const links = [
      link({ state: 'up' }),
      link({ center_router_name: 'd', since: 5 }),
      link({ since: 9 }),
      link({ state: 'never', since: 10 }),
    ]
    const router = row('suspected', { type: 'router', router_name: 'p' }, facts).target
    expect(listFaultyLinks(router, links).map(({ since }) => since)).toEqual([9, 5])
    const target = { type: 'link', network_number: 'N1', router_name: 'p', center_router_name: 'd' } as const
    expect(listFaultyLinks(row('link_down', target, facts).target, links).map(({ since }) => since)).toEqual([5])
  })

  it('name the end that receives nothing if it is one alone', () => {
    const silentOf = (client_up: boolean | null, server_up: boolean | null) =>
      toStepFacts(null, [link({ client_up, server_up })], [], (name) => `名${name}`).silent
    expect(silentOf(false, true)).toEqual({ end: '名p', other: '名c' })
    expect(silentOf(true, false)).toEqual({ end: '名c', other: '名p' })
    expect([silentOf(false, false), silentOf(true, true), silentOf(null, null)]).toEqual([null, null, null])
  })
})

describe('a restart of tunnels', () => {
  const target = { type: 'link', network_number: 'N1', router_name: 'p', center_router_name: 'c' } as const
  it('is offered for a faulty link of a present device only', () => {
    const restart = { network_number: 'N1', router_name: 'p' }
    expect(findRestart(row('link_down', target, facts), [member('p')])).toEqual(restart)
    expect(findRestart(row('suspected', { type: 'router', router_name: 'p' }, facts), [member('p')])).toEqual(restart)
    expect(findRestart(row('link_down', target, facts), [member('p', 'offline')])).toBeNull()
    expect(findRestart(row('link_down', target, facts), [member('p', 'online', { routerType: 2 })])).toBeNull()
    expect(findRestart(row('single_center', target, facts), [member('p')])).toBeNull()
    const offline = row('member_offline', { type: 'router', router_name: 'p' }, facts)
    expect(findRestart(offline, [member('p')])).toBeNull()
  })
})
