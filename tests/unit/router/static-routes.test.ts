import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { staticRoutes } from '#contract/network/fields.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'
import { alignStaticRoutes, checkStaticRoutes } from '#domain/router/static-routes.ts'

const port = (role: InterfaceInfo['role'], ip: string, mask = 24) => ({ role, ip, mask }) as InterfaceInfo
const DEVICE = [port('lan', '192.168.1.1'), port('lan', '192.168.2.1', 30), port('wan', '100.70.0.2', 30)]
const check = (routes: [prefix: string, via: string][], before: [string, string][] = [], device = DEVICE) => {
  const toRoute = ([prefix, via]: [string, string]) => ({ prefix, via })
  return checkStaticRoutes(routes.map(toRoute), before.map(toRoute), device)
}

describe('static routes of a member', () => {
  it('pass with another address of a LAN as next hop', () => {
    expect(
      check([
        ['10.9.0.0/24', '192.168.1.254'],
        ['10.10.0.0/16', '192.168.2.2'],
      ]),
    ).toBeNull()
    expect(check([['192.168.0.0/16', '192.168.1.254']])).toBeNull() // behind it, and more than its LAN
  })

  it.each(['192.168.1.1', '192.168.1.0', '192.168.1.255', '192.168.3.1', '100.70.0.1'])(
    'refuse the next hop %s: the device itself, no host of the LAN, or elsewhere',
    (via) => {
      expect(
        check([
          ['10.8.0.0/24', '192.168.1.9'],
          ['10.9.0.0/24', via],
        ]),
      ).toEqual({
        key: 'STATIC_ROUTE_HOP',
        params: { via, lans: '192.168.1.0/24、192.168.2.0/30' },
        field: 'routes.1.via',
      })
    },
  )

  it.each(['192.168.1.0/24', '192.168.1.128/25', '100.70.0.0/30'])(
    'refuse %s, a segment of the device itself',
    (prefix) => {
      expect(check([[prefix, '192.168.1.254']])).toMatchObject({ key: 'STATIC_ROUTE_OWN', field: 'routes.0.prefix' })
    },
  )

  it('refuse one twice, and any before the device has reported a LAN', () => {
    const twice: [string, string][] = [
      ['10.9.0.0/24', '192.168.1.8'],
      ['10.9.0.0/24', '192.168.1.9'],
    ]
    expect(check(twice)).toMatchObject({ key: 'PREFIX_TWICE', field: 'routes.1.prefix' })
    expect(check([['10.9.0.0/24', '192.168.1.8']], [], [port('wan', '1.2.3.4')])?.key).toBe('STATIC_ROUTE_NO_LAN')
    expect(check([], [], [])).toBeNull()
  })

  it('one that stays is not checked again, so that another can be removed after the device was renumbered', () => {
    const old: [string, string][] = [
      ['10.9.0.0/24', '172.16.0.9'],
      ['10.8.0.0/24', '172.16.0.9'],
    ]
    expect(check(old.slice(1), old)).toBeNull()
    expect(check([['10.9.0.0/24', '172.16.0.8']], old)?.key).toBe('STATIC_ROUTE_HOP')
  })

  it('property: aligned ones stand at the boundary of their mask, and each correction says old and new', () => {
    const octet = fc.integer({ min: 1, max: 254 })
    const row = fc.record({
      prefix: fc.tuple(fc.integer({ min: 1, max: 126 }), octet, octet, octet).map((octets) => octets.join('.')),
      mask: fc.integer({ min: 8, max: 32 }),
      via: fc.constant('192.168.1.254'),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const { routes, corrected } = alignStaticRoutes(staticRoutes.parse(rows))
        for (const [n, { prefix }] of routes.entries()) {
          const { first, last } = parseRange(`${rows[n]!.prefix}/${rows[n]!.mask}`)!
          expect(parseRange(prefix)).toEqual({ first, last })
          const found = corrected.find((one) => one.row === n)
          expect(found?.to ?? `${rows[n]!.prefix}/${rows[n]!.mask}`).toBe(prefix)
        }
      }),
    )
  })

  it('at most 50, of masks 8 to 32', () => {
    const row = { prefix: '10.9.0.0', mask: 24, via: '192.168.1.254' }
    const sentence = (rows: unknown) => staticRoutes.safeParse(rows).error?.issues[0]?.message
    expect(sentence(Array.from({ length: 51 }, () => row))).toBe('最多添加50条静态路由')
    expect(sentence([{ ...row, mask: 7 }])).toBe('掩码取值范围在8~32')
    expect(sentence([{ ...row, via: '0.1.2.3' }])).toBe('请输入正确的下一跳')
  })
})
