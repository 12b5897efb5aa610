import { expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { checkDocument, checkSettings } from '#infra/agent/config/check-document.ts'
import { CLIENT_LINK, network, routerDocument } from './support/documents.ts'

const base = network('N1', [CLIENT_LINK])
it.each<[string, RouterDocument, string]>([
  ['a number that climbs out of the folder', routerDocument({ ...base, network_number: '../../etc' }), '编号'],
  ['the same network twice', routerDocument(base, base), '重复'],
  ['a network without this device', routerDocument({ ...base, members: [] }), '没有本设备'],
  [
    'an address outside its segment',
    routerDocument({ ...base, addresses: [{ ...base.addresses[0]!, ip: '10.0.0.1' }] }),
    '不在网段',
  ],
  ['a segment that is none', routerDocument({ ...base, addresses: [{ ...base.addresses[0]!, segment: 'x' }] }), '网段'],
  ['a software segment that is none', routerDocument({ ...base, software_segment: '1.2.3.4/99' }), '软件成员网段'],
  ['a link twice', routerDocument(network('N1', [CLIENT_LINK, CLIENT_LINK])), '重复'],
  ['a link without a key', routerDocument({ ...base, links: [{ ...CLIENT_LINK, key: 'xyz' }] }), '密钥'],
])('refuses %s', (_, document, reason) => {
  expect(checkDocument(document)?.reason).toMatch(new RegExp(`^配置校验失败：.*${reason}`))
})

it.each([[routerDocument(base)], [routerDocument()]])('accepts a sound document', (document) => {
  expect(checkDocument(document)).toBeNull()
})

it('refuses a setting that the driver does not carry, and no other', () => {
  const sm = routerDocument(base, { ...network('N2'), ciphers: 'sm' })
  expect(checkSettings(sm, [])).toEqual({ reason: '设备版本过旧，不支持国密（SM4）' })
  expect(checkSettings(sm, ['ciphers:sm'])).toBeNull()
  expect(checkSettings(routerDocument(base), [])).toBeNull()
})
