import { describe, expect, it } from 'vitest'
import type { NetworkRows } from '#domain/network/compile/rows.ts'
import { innerAddresses } from '#domain/network/diagnosis/addresses.ts'
import { planPath } from '#domain/network/diagnosis/plan.ts'
import { compileOneNetwork } from '#domain/network/compile/compile.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { memberWithLan } from '../members.ts'
import { TWIN, networkOf, prefixRow, withDefault } from './network.ts'

const plan = (rows: NetworkRows, from: string, destination: string) =>
  planPath(rows, from, destination, (name) => name).map(({ name, intended }) => [
    name,
    'links' in intended ? intended.links.map(({ peer }) => peer).join(' ') : Object.values(intended)[0],
  ])
const first = (rows: NetworkRows, from: string, destination: string) => plan(rows, from, destination)[0]?.[1]

describe('network · planned path', () => {
  it('goes over both centres that share the load, to the router that declares the segment', () => {
    expect(plan(networkOf(), 'R3', '10.4.0.9')).toEqual([
      ['R3', 'R1 R2'],
      ['R1', 'R4'],
      ['R2', 'R4'],
      ['R4', 'lan'],
    ])
  })

  it('names link, prefix and its origin', () => {
    const [hop] = planPath(networkOf([TWIN[0]!, TWIN[2]!, TWIN[3]!]), 'R3', '10.4.0.9', (name) => `〈${name}〉`)
    expect(hop).toEqual({
      name: 'R3',
      label: '〈R3〉',
      isNode: false,
      intended: { links: [{ id: 'N1:R3>R1', peer: 'R1' }] },
      prefix: '10.4.0.0/24',
      origin: 'R4',
    })
  })

  it.each([
    ['its own inner address', 'R1', '100.64.32.1', 'self'],
    ['the inner address of a centre', 'R3', '100.64.32.1', 'R1'],
    ['another point in the segment of a centre', 'R3', '100.64.32.5', 'R1'],
    ['that point from the centre', 'R1', '100.64.32.5', 'R4'],
    ['its software members', 'R1', '100.64.48.9', 'software'],
    ['its LAN', 'R3', '10.3.0.9', 'lan'],
  ])('knows %s', (_, from, destination, expected) => {
    const rows = networkOf([TWIN[0]!, TWIN[2]!, TWIN[3]!])
    expect(first(rows, from, destination)).toBe(expected)
  })

  it('prefers a link between two points', () => {
    const pointLinks = [{ serverId: 3, clientId: 4, port: 24_000, gateway: '10.255.0.0', mask: 30 }]
    expect(first(networkOf(TWIN, {}, { pointLinks }), 'R3', '10.4.0.9')).toBe('R4')
  })

  it('follows a default route to the router that gives it, and there to the internet', () => {
    const rows = networkOf([
      memberWithLan(1, 'center', withDefault(1, 30)),
      memberWithLan(3, 'point', withDefault(2)),
      memberWithLan(4, 'point'),
    ])
    expect(plan(rows, 'R3', '198.51.100.80')).toEqual([
      ['R3', 'R1'],
      ['R1', true],
    ])
  })
})

const twinOff = networkOf(TWIN, { center_link: { ...DEFAULT_NETWORK_SETTINGS.center_link, enable: 0 } })
const deny = prefixRow('10.4.0.0', 16, { permission: 'deny' })
const ofPop = (main: number | null) => ({
  settings: { ...DEFAULT_MEMBER_SETTINGS, ov: { main, backup: null, priority: 3 } },
})
const NODE = {
  routerId: 90,
  routerName: 'POP1',
  areaId: 7,
  segmentIndex: 40,
  portIndex: 0,
  bandwidth: 10,
  endpoint: null,
}

describe('network · reasons of a missing route', () => {
  it.each([
    [
      'the row that denies it',
      networkOf(TWIN, { prefix: [prefixRow('10.8.0.0', 16), deny] }),
      'R3',
      '10.4.0.9',
      '被第2行前缀规则拒绝',
    ],
    [
      'that no row permits it',
      networkOf(TWIN, { prefix: [prefixRow('10.8.0.0', 16)] }),
      'R3',
      '10.4.0.9',
      '没有前缀规则允许',
    ],
    ['that nobody declares it', networkOf(TWIN), 'R3', '10.99.0.1', '没有成员公布覆盖该地址的网段'],
    ['the twin link that is off', twinOff, 'R1', '10.2.0.9', '双中心互通已关闭'],
    ['the twin link, for software members', twinOff, 'R1', '100.64.80.9', '双中心互通已关闭'],
    [
      'the member that is disabled',
      networkOf([...TWIN.slice(0, 3), memberWithLan(4, 'point', { vpn: true, isLeftOut: true })]),
      'R3',
      '10.4.0.9',
      '成员“R4”已停用',
    ],
    ['that it takes no default', networkOf([TWIN[0]!, TWIN[2]!]), 'R3', '198.51.100.80', '本成员未接收默认路由'],
    [
      'that nobody gives a default',
      networkOf([TWIN[0]!, memberWithLan(3, 'point', withDefault(2))]),
      'R3',
      '198.51.100.80',
      '没有成员公布默认路由',
    ],
    [
      'the area that one lacks',
      networkOf([memberWithLan(3, 'point', ofPop(7)), memberWithLan(4, 'point')], {}, { popNodes: [NODE] }),
      'R3',
      '10.4.0.9',
      '未接入POP区域',
    ],
    ['the link that is not there', networkOf([TWIN[2]!, TWIN[3]!]), 'R3', '10.4.0.9', '与成员“R4”之间没有链路'],
  ])('name %s', (_, rows, from, destination, reason) => expect(first(rows, from, destination)).toBe(reason))

  it('of a node are those of the rows, too', () => {
    const rows = networkOf(
      [memberWithLan(3, 'point', ofPop(7)), memberWithLan(4, 'point', ofPop(7))],
      {},
      { popNodes: [NODE] },
    )
    expect(plan(rows, 'R3', '10.4.0.9')).toEqual([
      ['R3', 'POP1'],
      ['POP1', 'R4'],
      ['R4', 'lan'],
    ])
  })
})

describe('network · inner addresses', () => {
  it('are those of the documents', () => {
    const pointLinks = [{ serverId: 3, clientId: 4, port: 24_000, gateway: '10.255.0.0', mask: 30 }]
    const members = [...TWIN.slice(0, 2), memberWithLan(3, 'point', ofPop(7)), memberWithLan(4, 'point')]
    const center_link = { ...DEFAULT_NETWORK_SETTINGS.center_link, enable: 1 as const, server: 1 }
    const rows = networkOf(members, { center_link }, { pointLinks, popNodes: [NODE] })
    const compiled = [...members, NODE].flatMap(({ routerName }) => {
      const { links, addresses, member_type } = compileOneNetwork(routerName, rows, () => '')
      const own = links.map(({ local_ip }) => local_ip).concat(addresses.map(({ ip }) => ip))
      return own.map((ip) => [ip, routerName, member_type] as const)
    })
    const known = innerAddresses(rows)
    expect(compiled.filter(([ip, name]) => known.get(ip) !== name)).toEqual([])
    expect([...known.keys()].filter((ip) => !compiled.some(([one]) => one === ip))).toEqual([])
  })
})
