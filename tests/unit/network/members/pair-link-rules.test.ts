import { describe, expect, it } from 'vitest'
import {
  type PointLink,
  checkPeers,
  isSameLink,
  planLinks,
  checkCenterLink,
  isCenterLinkShown,
} from '#domain/network/members/pair-links.ts'
import { checkMembers, checkRemaining } from '#domain/network/members/membership.ts'
import { createMember } from '../members.ts'
import { NETWORK } from '#contract/network/limits.ts'

const [one, two, three] = [1, 2, 3].map((n) => createMember({ routerName: `P${n}` })) as [Member, Member, Member]
type Member = ReturnType<typeof createMember>
const center = createMember({ routerName: 'C9', memberType: 'center' })
const app = createMember({ routerName: 's8@qiming', routerType: 2 })
const MEMBERS = [one, two, three, center, app]
const wanted = (router_name: string, static_port: number | null = null, gateway = '172.31.0.0') => ({
  router_name,
  gateway,
  mask: 30,
  static_port,
})
const link = (serverId: number, clientId: number, over: Partial<PointLink> = {}): PointLink => ({
  serverId,
  clientId,
  gateway: '172.31.0.0',
  mask: 30,
  staticPort: null,
  port: 24_000,
  clientPort: 24_000,
  ...over,
})

describe('network 2 · who may be linked', () => {
  it.each([
    ['a point with another', one, ['P2'], null],
    ['whatever the case of the name', one, ['p2'], null],
    ['a point with itself', one, ['P1'], 'POINT_LINK_PEER'],
    ['a point with a centre', one, ['C9'], 'POINT_LINK_PEER'],
    ['a point with software', one, ['s8@qiming'], 'POINT_LINK_PEER'],
    ['a point with a stranger', one, ['P7'], 'POINT_LINK_PEER'],
    ['a centre', center, ['P1'], 'POINT_LINK_PEER'],
    ['a centre that has none', center, [], null],
  ] as const)('%s', (_, self, names, key) => {
    const found = checkPeers(
      self,
      names.map((name) => wanted(name)),
      MEMBERS,
      [],
    )
    expect(found?.key ?? null).toBe(key)
  })
  it('the other end has its limit, too', () => {
    const full = Array.from({ length: NETWORK.pointLinksMax }, (_, n) => link(2, 100 + n))
    expect(checkPeers(one, [wanted('P2')], MEMBERS, full)).toMatchObject({
      key: 'POINT_LINK_LIMIT',
      field: 'link_config.0.router_name',
    })
    expect(checkPeers(one, [wanted('P2')], MEMBERS, [...full.slice(1), link(1, 2)])).toBeNull()
  })
})

describe('network 7 · links as they will be', () => {
  it('a new one is answered by the member that asks for it, on the first free port', () => {
    const { links } = planLinks(one, [wanted('P2'), wanted('P3')], MEMBERS, [], [{ routerId: 1, port: 24_000 }])
    expect(links).toMatchObject([
      { serverId: 1, clientId: 2, port: 24_001, staticPort: null },
      { serverId: 1, clientId: 3, port: 24_002, staticPort: null },
    ])
  })
  it('one that stands keeps who answers and its port, whichever end edits it', () => {
    const stored = [link(2, 1, { port: 24_007 })]
    const { links } = planLinks(one, [wanted('P2', null, '172.31.9.0')], MEMBERS, stored, [])
    expect(links).toMatchObject([{ serverId: 2, clientId: 1, port: 24_007, gateway: '172.31.9.0' }])
  })
  it('the client end gets the first free port of its device, and keeps it', () => {
    const used = [{ routerId: 2, port: 24_000 }]
    const { links } = planLinks(one, [wanted('P2'), wanted('P3')], MEMBERS, [], used)
    expect(links).toMatchObject([
      { clientId: 2, port: 24_000, clientPort: 24_001 },
      { clientId: 3, port: 24_001, clientPort: 24_000 },
    ])
    const [stored] = [[link(2, 1, { port: 24_007, clientPort: 24_009 })]]
    const kept = planLinks(one, [wanted('P2'), wanted('P3')], MEMBERS, stored, [])
    expect(kept.links).toMatchObject([{ clientPort: 24_009 }, { port: 24_000, clientPort: 24_000 }])
  })
  it('a port of the client end that is chosen for another link of its device gives way', () => {
    const stored = [link(2, 1, { port: 24_007, clientPort: 25_000 })]
    const { links } = planLinks(one, [wanted('P2'), wanted('P3', 25_000)], MEMBERS, stored, [])
    expect(links.find(({ clientId }) => clientId === 1)).toMatchObject({
      serverId: 2,
      port: 24_007,
      clientPort: 24_000,
    })
  })
  it('one of an earlier release equals the same link with a port of its client end', () => {
    expect(isSameLink(link(1, 2, { clientPort: null }), link(1, 2))).toBe(true)
    expect(isSameLink(link(1, 2, { clientPort: 24_001 }), link(1, 2))).toBe(false)
    expect(isSameLink(link(1, 2, { clientPort: null }), link(1, 2, { mask: 29 }))).toBe(false)
  })
  it('a chosen port is taken as it is, and is free for nobody else', () => {
    const { links } = planLinks(one, [wanted('P2'), wanted('P3', 24_000)], MEMBERS, [], [])
    expect(links.find(({ clientId }) => clientId === 3)).toMatchObject({ port: 24_000, staticPort: 24_000, row: 1 })
    expect(links.find(({ clientId }) => clientId === 2)).toMatchObject({ port: 24_001, staticPort: null, row: 0 })
  })
})

describe('network 2 · twin-centre link', () => {
  const twins = [center, { ...one, memberType: 'center' as const }]
  const OFF = { enable: 0, server: null, gateway: '', mask: 30, ports: NONE() } as const
  function NONE() {
    return { public_ip: null, public_port: null, static_port: null }
  }
  const ON = { ...OFF, enable: 1, server: 9, gateway: '172.31.0.0' } as const
  it('is shown with exactly two centres, and never in a point-to-point network', () => {
    expect(
      [twins, [center], [...twins, { ...two, memberType: 'center' as const }]].map((m) => isCenterLinkShown(1, m)),
    ).toEqual([true, false, false])
    expect(isCenterLinkShown(2, twins)).toBe(false)
    expect(isCenterLinkShown(3, twins)).toBe(true)
  })
  it.each([
    ['on', 1, twins, OFF, ON, null],
    ['on with one centre', 1, [center], OFF, ON, 'CENTER_LINK_NEEDS_TWO'],
    ['on without a server', 1, twins, OFF, { ...ON, server: null }, 'CENTER_LINK_UNSET'],
    ['on, its server no centre', 1, twins, OFF, { ...ON, server: 2 }, 'CENTER_LINK_UNSET'],
    ['on, without a public address or a segment', 1, twins, OFF, { ...ON, gateway: '' }, 'CENTER_LINK_UNSET'],
    ['a segment before it is on', 1, twins, OFF, { ...OFF, gateway: '172.31.0.0' }, null],
    ['a segment with one centre', 1, [center], OFF, { ...OFF, gateway: '172.31.0.0' }, 'CENTER_LINK_NEEDS_TWO'],
    ['off with one centre', 1, [center], ON, { ...ON, enable: 0 }, null],
  ] as const)('%s', (_, type, members, old, next, key) => {
    expect(checkCenterLink(type, members, old, next)?.key ?? null).toBe(key)
  })
})

describe('network 3 · members of a point-to-point network', () => {
  const QUOTA = { members: 10, membersUsed: 0, centers: 2 }
  const check = (after: readonly Member[], before: readonly Member[] = []) =>
    checkMembers(before, after, QUOTA, false, [], 2)?.key ?? null
  it('no centre, at least two members', () => {
    expect(check([one, two])).toBeNull()
    expect(check([one])).toBe('TYPE_TWO_MEMBERS_REQUIRED')
    expect(check([])).toBe('NETWORK_MEMBERS_REQUIRED')
    expect(check([one, center])).toBe('TYPE_TWO_CENTER_FORBIDDEN')
  })
  it('the last two cannot be removed one by one; a hub network keeps a centre', () => {
    expect([checkRemaining([one, two], 2), checkRemaining([one], 2)?.key]).toEqual([null, 'TYPE_TWO_MEMBERS_REQUIRED'])
    expect([checkRemaining([center], 1), checkRemaining([one, two], 1)?.key]).toEqual([null, 'LAST_CENTER'])
  })
})
