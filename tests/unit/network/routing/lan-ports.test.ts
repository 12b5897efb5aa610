import { describe, expect, it } from 'vitest'
import type { ComparedRoute } from '#domain/network/routing/actual-routes.ts'
import { isDifference } from '#domain/network/routing/actual-routes.ts'
import { type CutSegments, cutSegments, markCut } from '#domain/network/routing/lan-ports.ts'

const LANS = ['10.4.0.1/24', '10.5.0.1/24']
const behind = (prefix: string, via: string) => ({ prefix, via })

describe('network · segments of LAN ports that are down', () => {
  it.each([
    ['none while all ports are up', [], [], []],
    ['of the port that is down', [], ['10.5.0.1/24'], ['10.5.0.0/24']],
    ['of all ports', [], LANS, ['10.4.0.0/24', '10.5.0.0/24']],
    ['none by a port that the row does not have any more', [], ['10.6.0.1/24'], []],
    [
      'with the static routes behind it',
      [behind('10.40.0.0/16', '10.4.0.9'), behind('10.50.0.0/16', '10.5.0.9')],
      ['10.5.0.1/24'],
      ['10.5.0.0/24', '10.50.0.0/16'],
    ],
  ] as const)('are %s', (_, staticRoutes, down, cut) => {
    expect(cutSegments({ lans: LANS, staticRoutes }, down)).toEqual(cut)
  })

  it('are none if another port of the segment is up', () => {
    const member = { lans: ['10.4.0.1/24', '10.4.0.2/24'], staticRoutes: [behind('10.40.0.0/16', '10.4.0.9')] }
    expect(cutSegments(member, ['10.4.0.2/24'])).toEqual([])
  })
})

const CUT: CutSegments = new Map([
  ['R3', []],
  ['R4', ['10.4.0.0/24']],
])

function row(over: Partial<ComparedRoute> = {}, state: 'chosen' | 'standby' | 'blocked' = 'chosen'): ComparedRoute {
  const route = { prefix: '10.4.0.0/24', from: 'R4', via: 'R1', state, rank: 1, blockedBy: null }
  return { prefix: '10.4.0.0/24', route, link: 'R3>R1', verdict: 'same', reason: '', ...over }
}
const mark = (rows: readonly ComparedRoute[], self = 'R3') =>
  markCut(rows, CUT, self, (name) => ({ R4: '门店' })[name] ?? name)

describe('network · routes to them', () => {
  it('are unreachable at other routers, with the name of the one whose port is down', () => {
    expect(mark([row()])).toEqual([{ ...row(), verdict: 'unreachable', reason: '门店的LAN接口未连接' }])
    expect(isDifference({ verdict: 'unreachable' })).toBe(true)
  })

  it.each([
    ['in reserve', row({}, 'standby')],
    ['that rows deny', row({}, 'blocked')],
    ['that are missing anyway', row({ verdict: 'missing', reason: '隧道断开' })],
    ['that are not known', row({ verdict: 'unknown' })],
    ['of another segment', row({ prefix: '10.5.0.0/24' })],
    ['that only the device has', row({ route: null, verdict: 'extra' })],
  ])('stay as they are: those %s', (_, kept) => {
    expect(mark([kept])).toEqual([kept])
  })

  it('come first at the router itself, which has no route of its own otherwise', () => {
    const other = row({ prefix: '10.1.0.0/24' })
    const own = { prefix: '10.4.0.0/24', from: 'R4', via: '', state: 'chosen', rank: 1, blockedBy: null }
    expect(mark([other], 'R4')).toEqual([
      { prefix: '10.4.0.0/24', route: own, link: null, verdict: 'unreachable', reason: 'LAN接口未连接' },
      other,
    ])
  })
})
