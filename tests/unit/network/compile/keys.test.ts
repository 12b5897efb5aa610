import { expect, it } from 'vitest'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import type { DeviceKeys } from '#domain/network/compile/keys.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { NOT_REPORTED } from '../members.ts'

const member = (routerId: number, memberType: 'center' | 'point'): DocumentMember => ({
  ...NOT_REPORTED,
  routerId,
  routerName: `R${routerId}`,
  routerType: 1,
  memberType,
  segmentIndex: memberType === 'center' ? 0 : null,
  host: routerId + 1,
  endpoint: null,
})
const network = (networkNumber: string): NetworkRows => ({
  networkNumber,
  ciphers: 'default',
  secret: 'ab',
  settings: DEFAULT_NETWORK_SETTINGS,
  members: [member(1, 'center'), member(2, 'point')],
})
const pem = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`
const authority = (id: string) => ({ id: id.repeat(32), ca: pem('CERTIFICATE'), certificate: null })
const keysBy = (id: string) => ({ authority: id.repeat(32), controlKey: 'ab'.repeat(256), revoked: pem('X509 CRL') })
const KEYS: DeviceKeys = { authorities: [authority('c')], networks: new Map([['N1', keysBy('c')]]) }
const compile = (keys: DeviceKeys | null) =>
  compileRouter('R2', [network('N1'), network('N2')], () => 'ab'.repeat(16), null, keys)

it('keys stand beside everything else, in networks that have them', () => {
  const { authorities, networks, ...rest } = compile(KEYS)
  const [own, other] = networks
  expect(authorities).toEqual(KEYS.authorities)
  const { authority: id, control_key: control, revoked, ...bare } = own!
  expect({ authority: id, control, revoked }).toEqual({
    authority: 'c'.repeat(32),
    control: 'ab'.repeat(256),
    revoked: pem('X509 CRL'),
  })
  expect(Object.keys(other!)).not.toEqual(expect.arrayContaining(['authority']))
  expect(canonicalJson({ ...rest, networks: [bare, other] })).toBe(canonicalJson(compile(null)))
})

it('a node has the authorities of all accounts in one order, and each network its own', () => {
  const networks = new Map([
    ['N1', keysBy('c')],
    ['N2', keysBy('a')],
  ])
  const both = [authority('a'), authority('c')]
  const document = compile({ authorities: both, networks })
  expect(document.authorities).toEqual(both)
  expect(document.networks.map((one) => one.authority)).toEqual(['c'.repeat(32), 'a'.repeat(32)])
  expect(canonicalJson(compile({ authorities: both.toReversed(), networks }))).toBe(canonicalJson(document))
})

it('a device without tunnels has none of their fields', () => {
  expect(canonicalJson(compile(null))).not.toMatch(/authorit|control_key|revoked/)
})
