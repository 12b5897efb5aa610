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
const KEYS: DeviceKeys = {
  authority: { id: 'c'.repeat(32), ca: pem('CERTIFICATE'), certificate: null },
  networks: new Map([['N1', { controlKey: 'ab'.repeat(256), revoked: pem('X509 CRL') }]]),
}
const compile = (keys: DeviceKeys | null) =>
  compileRouter('R2', [network('N1'), network('N2')], () => 'ab'.repeat(16), null, keys)

it('keys stand beside everything else, in networks of the device’s own account alone', () => {
  const { authorities, networks, ...rest } = compile(KEYS)
  const [own, other] = networks
  expect(authorities).toEqual([KEYS.authority])
  const { authority, control_key: control, revoked, ...bare } = own!
  expect({ authority, control, revoked }).toEqual({
    authority: 'c'.repeat(32),
    control: 'ab'.repeat(256),
    revoked: pem('X509 CRL'),
  })
  expect(Object.keys(other!)).not.toEqual(expect.arrayContaining(['authority']))
  expect(canonicalJson({ ...rest, networks: [bare, other] })).toBe(canonicalJson(compile(null)))
})

it('a device without tunnels has none of their fields', () => {
  expect(canonicalJson(compile(null))).not.toMatch(/authorit|control_key|revoked/)
})
