import { describe, expect, it } from 'vitest'
import { ROUTE_VERDICTS } from '#contract/network/routing.ts'
import { type DeviceSide, compareRoutes, isDifference } from '#domain/network/routing/actual-routes.ts'
import { effectiveRoutes } from '#domain/network/routing/effective-routes.ts'
import type { NetworkRows } from '#domain/network/compile/rows.ts'
import { TWIN, networkOf, prefixRow } from '../diagnosis/network.ts'

const MAIN = networkOf(TWIN, { routing: { type: 2, main: 1, secondary: 2 } })
const ONE: NetworkRows = networkOf([TWIN[0]!, TWIN[2]!, TWIN[3]!])
const DENIED = networkOf([TWIN[0]!, TWIN[2]!, TWIN[3]!], {
  prefix: [prefixRow('10.4.0.0', 16, { permission: 'deny' }), prefixRow('10.0.0.0', 8)],
})

/** Routes of R3 compared with those of its device, by prefix and peer: `prefix via verdict actual reason`. */
function compare(rows: NetworkRows, device: Record<string, readonly string[]> | null, over: Partial<DeviceSide> = {}) {
  const routes = device && new Map(Object.entries(device).map(([prefix, links]) => [prefix, new Set(links)]))
  const compared = compareRoutes(
    effectiveRoutes(
      rows,
      rows.members.find(({ routerId }) => routerId === 3)!,
    ),
    {
      routes,
      lost: new Map(),
      isWhole: true,
      config: 'applied',
      labelOf: (name) => ({ R1: '总部' })[name] ?? name,
      linkTo: (via) => `R3>${via}`,
      downReason: () => null,
      ...over,
    },
  )
  return compared.map(({ prefix, route, verdict, link, reason }) =>
    [prefix, route?.via ?? '-', verdict, link ?? '-', reason].join(' ').trim(),
  )
}
const of = (prefix: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(prefix))
const lost = (...links: readonly string[]) => ({ lost: new Map([['10.4.0.0/24', new Set(links)]]) })
const down = (id: string, reason: string) => ({ downReason: (asked: string) => (asked === id ? reason : null) })

describe('network · actual routes', () => {
  it('are the same as intended', () => {
    const device = { '10.1.0.0/24': ['R3>R1'], '10.4.0.0/24': ['R3>R1'], '100.64.48.0/20': ['R3>R1'] }
    expect(compare(ONE, device)).toEqual([
      '10.1.0.0/24 R1 same R3>R1',
      '10.4.0.0/24 R1 same R3>R1',
      '100.64.48.0/20 R1 same R3>R1',
    ])
  })

  it.each([
    ['not announced', {}, {}, '10.4.0.0/24 R1 missing - 对端未公布该网段'],
    ['behind a link that is down', {}, down('R3>R1', '证书已吊销'), '10.4.0.0/24 R1 missing - 隧道断开：证书已吊销'],
    ['behind a link without a reason', {}, down('R3>R1', ''), '10.4.0.0/24 R1 missing - 隧道断开'],
    [
      'announced, and lost by the kernel',
      {},
      lost('R3>R1'),
      '10.4.0.0/24 R1 missing - 对端总部有该路由，本设备的路由表中缺失',
    ],
    [
      'lost, behind a link that is down',
      {},
      { ...lost('R3>R1'), ...down('R3>R1', '对端无应答') },
      '10.4.0.0/24 R1 missing - 隧道断开：对端无应答',
    ],
    [
      'not announced, beside a lost one of another link',
      {},
      lost('R3>R2'),
      '10.4.0.0/24 R1 missing - 对端未公布该网段',
    ],
    ['not read', {}, { isWhole: false }, '10.4.0.0/24 R1 unknown -'],
    ['being configured', {}, { config: 'pushing' }, '10.4.0.0/24 R1 unknown - 配置下发中'],
    [
      'of a device that is offline with a newer document',
      {},
      { config: 'queued' },
      '10.4.0.0/24 R1 unknown - 配置下发中',
    ],
    ['of a refused document', {}, { config: 'failed' }, '10.4.0.0/24 R1 unknown - 最新配置未生效'],
  ] as const)('that are %s', (_, device, over, line) => {
    expect(of('10.4.0.0', compare(ONE, device, over))).toEqual([line])
  })

  it('of a device that has not answered are unknown', () => {
    expect(of('10.4.0.0', compare(ONE, null))).toEqual(['10.4.0.0/24 R1 unknown -'])
  })

  it('over another link are another path, with the reason of the intended one', () => {
    const device = { '10.4.0.0/24': ['R3>R2'] }
    expect(of('10.4.0.0', compare(MAIN, device))).toEqual([
      '10.4.0.0/24 R1 other_path R3>R2 首选路径未生效',
      '10.4.0.0/24 R2 same R3>R2',
    ])
    expect(of('10.4.0.0', compare(MAIN, device, down('R3>R1', '对端无应答')))[0]).toBe(
      '10.4.0.0/24 R1 other_path R3>R2 隧道断开：对端无应答',
    )
    expect(of('10.4.0.0', compare(MAIN, device, lost('R3>R1')))[0]).toBe(
      '10.4.0.0/24 R1 other_path R3>R2 对端总部有该路由，本设备的路由表中缺失',
    )
  })

  it('in reserve may be missing', () => {
    expect(of('10.4.0.0', compare(MAIN, { '10.4.0.0/24': ['R3>R1'] }))).toEqual([
      '10.4.0.0/24 R1 same R3>R1',
      '10.4.0.0/24 R2 same -',
    ])
  })

  it('that share the load are compared link by link', () => {
    const rows = networkOf()
    expect(of('10.4.0.0', compare(rows, { '10.4.0.0/24': ['R3>R1', 'R3>R2'] }))).toEqual([
      '10.4.0.0/24 R1 same R3>R1',
      '10.4.0.0/24 R2 same R3>R2',
    ])
    expect(of('10.4.0.0', compare(rows, { '10.4.0.0/24': ['R3>R1'] }, down('R3>R2', '对端未拨入')))).toEqual([
      '10.4.0.0/24 R1 same R3>R1',
      '10.4.0.0/24 R2 missing - 隧道断开：对端未拨入',
    ])
  })

  it('that the rows deny are missing as they should, or too many', () => {
    expect(of('10.4.0.0', compare(DENIED, {}))).toEqual(['10.4.0.0/24 R1 same -'])
    expect(of('10.4.0.0', compare(DENIED, { '10.4.0.0/24': ['R3>R1'] }))).toEqual([
      '10.4.0.0/24 R1 extra R3>R1 被第1行前缀规则拒绝',
    ])
  })

  it('that no member declares come last', () => {
    const lines = compare(ONE, { '10.77.0.0/24': ['R3>R1'] })
    expect(lines.at(-1)).toBe('10.77.0.0/24 - extra R3>R1 没有成员公布该网段')
  })

  it('differ unless they are the same or unknown', () => {
    const verdicts = ROUTE_VERDICTS.filter((verdict) => isDifference({ verdict }))
    expect(verdicts).toEqual(['missing', 'extra', 'other_path', 'unreachable'])
  })
})
