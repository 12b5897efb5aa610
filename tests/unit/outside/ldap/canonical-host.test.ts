import { expect, it } from 'vitest'
import { toCanonicalHost } from '#outside/ldap/canonical-host.ts'
import { findOffenders } from '#tests/support/offenders.ts'

it('names and addresses have one form, and anything else has none', async () => {
  const offenders = await findOffenders([
    ['ldap.qiming.com', 'ldap.qiming.com'],
    [' LDAP.Qiming.com. ', 'ldap.qiming.com'],
    ['dc1', 'dc1'],
    ['dc_1.corp.local', 'dc_1.corp.local'],
    ['中国.com', 'xn--fiqs8s.com'],
    ['LDAP.例子.中国。', 'ldap.xn--fsqu00a.xn--fiqs8s'],
    ['XN--FIQS8S.com', 'xn--fiqs8s.com'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.5.', '10.0.0.5'],
    ['127.1', '127.0.0.1'],
    ['0x0a000005', '10.0.0.5'],
    ['FD00:0:0:0::5', 'fd00::5'],
    ['[fd00::5]', 'fd00::5'],
    ['[2001:0DB8:0000:0000:0000:0000:0000:0001]', '2001:db8::1'],
    ['::ffff:10.0.0.5', '::ffff:a00:5'],
    ['', null],
    ['.', null],
    ['a b', null],
    ['https://x.com', null],
    ['x.com/y', null],
    ['x.com:636', null],
    ['user@x.com', null],
    ['[10.0.0.5]', null],
    ['fe80::1%eth0', null],
    ['256.0.0.1', null],
    ['a'.repeat(254), null],
  ])((text, host) => {
    expect(toCanonicalHost(text)).toBe(host)
  })
  expect(offenders).toEqual([])
})
