import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  centerLinkForm,
  defaultRouteForm,
  dnsList,
  fixedPorts,
  gatewaySegment,
  ipConfig,
  ovForm,
  pointLinkRows,
  port,
  prefixRow,
  routingForm,
} from '#contract/network/fields.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Path and sentence of the first thing that is wrong, or null. */
function problem(schema: z.ZodType, value: unknown): string | null {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null
}
const LINK = { center_router_name: 'C1', gateway: '10.0.0.0', mask: 30 }
const PAIR = { public_port: 3000, static_port: 4000 }

describe('network 5 · ports', () => {
  it.each<[unknown, string | null]>([
    [1025, null],
    ['65535', null],
    [1024, ': 设置范围应在1025~65535之间！'],
    [65_536, ': 设置范围应在1025~65535之间！'],
    ['8x', ': 设置范围应在1025~65535之间！'],
    [2000.5, ': 设置范围应在1025~65535之间！'],
  ])('%j', (value, expected) => expect(problem(port, value)).toBe(expected))

  it.each<[string, object, string | null]>([
    ['none', {}, null],
    ['empty fields', { router_service: { public_ip: '', public_port: '', static_port: '' } }, null],
    ['both ports', { router_service: PAIR }, null],
    [
      'an address alone',
      { router_service: { public_ip: '203.0.113.1' } },
      'router_service.public_port: 公网端口不能为空',
    ],
    ['no local port', { router_service: { public_port: 3000 } }, 'router_service.static_port: 本地端口不能为空'],
    [
      'an address that starts with 0',
      { router_service: { ...PAIR, public_ip: '0.1.2.3' } },
      'router_service.public_ip: 请输入正确的公网IP',
    ],
    [
      'one local port for both',
      { router_service: PAIR, software_service: { public_port: 3001, static_port: 4000 } },
      'software_service.static_port: 硬件服务与软件服务的本地端口不能相同',
    ],
    [
      'one public port for both',
      {
        router_service: { ...PAIR, public_ip: '203.0.113.1' },
        software_service: { public_ip: '203.0.113.1', public_port: 3000, static_port: 4001 },
      },
      'software_service.public_port: 硬件服务与软件服务的公网IP和公网端口不能相同',
    ],
  ])('of both services: %s', (_, value, expected) => expect(problem(fixedPorts, value)).toBe(expected))
})

describe('network 5 · segments', () => {
  it.each<[object, string | null]>([
    [{ gateway: '10.1.0.0', mask: '16' }, null],
    [{ gateway: '10.1.1.0', mask: 16 }, 'gateway: 网段格式设置错误'],
    [{ gateway: '0.1.0.0', mask: 16 }, 'gateway: 请输入正确的网段'],
    [{ gateway: 'x', mask: 16 }, 'gateway: 请输入正确的网段'],
    [{ gateway: '127.0.0.0', mask: 16 }, 'gateway: 请输入正确的网段'],
    [{ gateway: '224.0.0.0', mask: 16 }, 'gateway: 请输入正确的网段'],
    [{ gateway: '223.255.0.0', mask: 16 }, null],
    [{ gateway: '10.1.0.0', mask: 15 }, 'mask: 掩码取值范围在16~24'],
    [{ gateway: '10.1.0.0', mask: 25 }, 'mask: 掩码取值范围在16~24'],
  ])('%j', (value, expected) => expect(problem(gatewaySegment, value)).toBe(expected))

  it.each<[string, object, string | null]>([
    ['a segment', LINK, null],
    ['a public address', { center_router_name: 'C1', ...PAIR, public_ip: '203.0.113.1' }, null],
    ['no server', { ...LINK, center_router_name: '' }, 'center_router_name: 请选择服务端'],
    ['neither', { center_router_name: 'C1' }, 'gateway: 网段不能为空'],
    ['no proper number', { ...LINK, gateway: '10.0.0.1' }, 'gateway: 网段格式设置错误'],
    ['no address', { ...LINK, gateway: '300.0.0.1' }, 'gateway: 请输入正确的网段'],
    ['a public address alone', { ...LINK, public_ip: '203.0.113.1' }, 'public_port: 公网端口不能为空'],
    [
      'a public address without a local port',
      { ...LINK, public_ip: '203.0.113.1', public_port: 3000 },
      'static_port: 本地端口不能为空',
    ],
    ['a segment and a local port', { ...LINK, static_port: 4000 }, null],
    ['a segment and a public port', { ...LINK, public_port: 4000 }, null],
    ['an address that starts with 0', { ...LINK, ...PAIR, public_ip: '0.1.2.3' }, 'public_ip: 请输入正确的公网IP'],
    ['a number that starts with 0', { ...LINK, gateway: '0.0.0.0' }, 'gateway: 请输入正确的网段'],
  ])('of the twin-centre link: %s', (_, value, expected) => expect(problem(centerLinkForm, value)).toBe(expected))

  it('an IP config may leave everything out', () => {
    expect(ipConfig.parse({})).toEqual({ mask: 20, center_network: [] })
    expect(ipConfig.parse({ pop: '', pop_software: null })).toMatchObject({ pop: null, pop_software: null })
  })
})

describe('network 5 · prefix rows', () => {
  it('are permitted up to 32 by default', () => {
    expect(prefixRow.parse({ ip: '10.8.0.0', mask: '13', ge: '' })).toEqual({
      ip: '10.8.0.0',
      mask: 13,
      name: '',
      permission: 'permit',
      ge: null,
      le: 32,
    })
  })
  it.each<[object, string | null]>([
    [{ ip: '10.8.0.0', mask: 13, ge: 24, le: 26 }, null],
    [{ ip: '10.8.0.0', mask: 32 }, null],
    [{ ip: '224.0.0.0', mask: 8, permission: 'deny' }, null],
    [{ ip: '0.8.0.0', mask: 13 }, 'ip: 请输入正确的网络号'],
    [{ ip: '', mask: 13 }, 'ip: 请输入正确的网络号'],
    [{ ip: '10.8.0.0', mask: 7 }, 'mask: 掩码取值范围在8~32'],
    [{ ip: '10.8.0.0', mask: 33 }, 'mask: 掩码取值范围在8~32'],
    [{ ip: '10.8.0.0', mask: 13, ge: 13, le: 26 }, 'ge: 应满足：掩码 < ge <= le <= 32'],
    [{ ip: '10.8.0.0', mask: 13, ge: 27, le: 26 }, 'ge: 应满足：掩码 < ge <= le <= 32'],
    [{ ip: '10.8.0.0', mask: 13, le: 33 }, 'le: 应满足：掩码 < ge <= le <= 32'],
    [{ ip: '10.8.0.0', mask: 13, le: 12 }, 'le: 应满足：掩码 < ge <= le <= 32'],
  ])('%j', (value, expected) => expect(problem(prefixRow, value)).toBe(expected))

  it('a mask out of range is one problem: no other field is wrong with it', () => {
    const { error } = prefixRow.safeParse({ ip: '10.8.0.0', mask: 33 })
    expect(error?.issues.map(({ path }) => path)).toEqual([['mask']])
  })
})

describe('network 5 · routing, regions, DNS', () => {
  it('each form takes right values, and says on its field what is wrong', async () => {
    const offenders = await findOffenders<[z.ZodType, object, string | null]>([
      [routingForm, {}, null],
      [routingForm, { type: '2', main_router: 'a', secondary_router: 'b' }, null],
      [routingForm, { type: 2 }, 'main_router: 请选择主路由'],
      [routingForm, { type: 2, main_router: 'a', secondary_router: 'a' }, 'secondary_router: 主路由与备路由不能相同'],
      [defaultRouteForm, { model: '1', metric: '30' }, null],
      [defaultRouteForm, { model: 0 }, null],
      [defaultRouteForm, { model: 1 }, 'metric: 请选择优先级'],
      [defaultRouteForm, { model: 2, metric: 30 }, 'metric: 仅通告默认路由时可设置优先级'],
      [ovForm, { ov_id_main: 1, ov_id_backup: 2 }, null],
      [ovForm, {}, null],
      [ovForm, { ov_id_main: 1, ov_id_backup: '1' }, 'ov_id_backup: 主备区域不可选择相同的区域！'],
      [ovForm, { ov_id_backup: 1 }, 'ov_id_backup: 请先选择主区域'],
      [dnsList, ['10.0.0.53'], null],
      [dnsList, ['10.0.0'], '0: 请输入正确的DNS地址'],
      [dnsList, ['255.255.255.255'], '0: 请输入正确的DNS地址'],
      [dnsList, Array.from({ length: 17 }, (_, i) => `10.0.0.${i + 1}`), ': 最多添加16个DNS地址'],
      [dnsList, ['10.0.0.53', '10.0.0.53'], ': DNS地址不能重复'],
      [pointLinkRows, [{ router_name: 'a', gateway: '10.0.0.0', mask: 30 }], null],
      [
        pointLinkRows,
        [
          { router_name: 'a', gateway: '10.0.0.0', mask: 30 },
          { router_name: 'A', gateway: '10.0.0.4', mask: 30 },
        ],
        '1.router_name: 互联的成员不能重复',
      ],
    ])((schema, value, expected) => expect(problem(schema, value)).toBe(expected))
    expect(offenders).toEqual([])
  })
})
