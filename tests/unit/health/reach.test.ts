import { expect, it } from 'vitest'
import { unreachablePairText, unreachableText } from '#domain/health/reach.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const PUBLIC = { seenAt: '203.0.113.7', wan: '203.0.113.7' }
const BEHIND_NAT = { seenAt: '203.0.113.7', wan: '192.168.1.20' }
const OVER_IPV6 = { seenAt: '2001:db8::7', wan: '' }
const NONE = { public_ip: null, public_port: null }

it('infra/docs/hubs.md, Links · a server that cannot be dialled says why, and what to do', async () => {
  const cases = [
    ['access', PUBLIC, NONE, null],
    ['access', { seenAt: '203.0.113.7', wan: '' }, NONE, null],
    ['access', { seenAt: '', wan: '192.168.1.20' }, NONE, null],
    ['access', BEHIND_NAT, { public_ip: null, public_port: 31_194 }, null],
    ['access', BEHIND_NAT, { public_ip: '203.0.113.9', public_port: null }, null],
    ['access', OVER_IPV6, { public_ip: '203.0.113.9', public_port: 31_194 }, null],
    ['access', BEHIND_NAT, NONE, '中心点在NAT之后，没有固定端口：请在上级路由器映射UDP端口，并在“固定端口”中填写'],
    [
      'access',
      OVER_IPV6,
      { public_ip: null, public_port: 31_194 },
      '中心点只在IPv6地址上可见，隧道需要IPv4：请在“固定端口”中填写公网IPv4地址和端口',
    ],
    ['center', BEHIND_NAT, NONE, '中心点在NAT之后，没有固定端口：请在上级路由器映射UDP端口，并在“双中心点互通”中填写'],
    ['center', OVER_IPV6, NONE, '中心点只在IPv6地址上可见，隧道需要IPv4：请在“双中心点互通”中填写公网IPv4地址和端口'],
    ['point', BEHIND_NAT, NONE, '中心点在NAT之后，没有固定端口：请在上级路由器映射该互联的UDP端口'],
    ['point', OVER_IPV6, NONE, '中心点只在IPv6地址上可见，隧道需要IPv4：请为该设备接入IPv4线路'],
    ['pop', OVER_IPV6, NONE, '中心点只在IPv6地址上可见，隧道需要IPv4：请联系服务商'],
  ] as const
  const offenders = await findOffenders(cases)((kind, device, published, text) => {
    expect(unreachableText('中心点', kind, device, published)).toBe(text)
  })
  expect(offenders).toEqual([])
})

it('infra/docs/hubs.md, Links · a link that both ends dial is unreachable only if neither can be dialled', async () => {
  const IPV6 = 'B只在IPv6地址上可见，隧道需要IPv4：请为该设备接入IPv4线路'
  const cases = [
    ['both public', PUBLIC, PUBLIC, null],
    ['one behind NAT', BEHIND_NAT, PUBLIC, null],
    ['the other behind NAT', PUBLIC, BEHIND_NAT, null],
    ['one over IPv6', PUBLIC, OVER_IPV6, null],
    ['two behind NAT', BEHIND_NAT, BEHIND_NAT, '两端均在NAT之后：请在任一端的上级路由器映射该互联的UDP端口'],
    ['one behind NAT, one over IPv6', BEHIND_NAT, OVER_IPV6, IPV6],
  ] as const
  const offenders = await findOffenders(cases)((_, a, b, text) => {
    expect(unreachablePairText({ ...a, name: 'A' }, { ...b, name: 'B' })).toBe(text)
  })
  expect(offenders).toEqual([])
})
