import { describe, expect, it } from 'vitest'
import { areRelays, seenAddress } from '#domain/router/relays.ts'

const ENTRIES = 'https://relay.netloom.cn:8443,https://b.netloom.cn'
const RELAYS = '203.0.113.9, 198.51.100.0/24,2001:db8:1::/48'

describe('hubs.md, Endpoints · relays', () => {
  it.each([
    ['8.8.8.8', 'devices.netloom.cn', '8.8.8.8'],
    ['2400:3200::1', 'devices.netloom.cn', '2400:3200::1'],
    ['8.8.8.8', 'relay.netloom.cn', ''],
    ['8.8.8.8', 'RELAY.netloom.cn', ''],
    ['8.8.8.8', 'b.netloom.cn', ''],
    ['203.0.113.9', 'devices.netloom.cn', ''],
    ['203.0.113.10', 'devices.netloom.cn', '203.0.113.10'],
    ['198.51.100.200', 'devices.netloom.cn', ''],
    ['2001:db8:1:2::3', 'devices.netloom.cn', ''],
    ['2001:db8:2::3', 'devices.netloom.cn', '2001:db8:2::3'],
  ])('%s at %s is seen as %j', (ip, hostname, seen) =>
    expect(seenAddress({ ip, hostname }, ENTRIES, RELAYS)).toBe(seen),
  )

  it('are none without settings, or with wrong ones', () => {
    const origin = { ip: '203.0.113.9', hostname: 'relay.netloom.cn' }
    expect(seenAddress(origin, undefined, undefined)).toBe('203.0.113.9')
    expect(seenAddress(origin, 'http://relay.netloom.cn', '203.0.113.9,x')).toBe('203.0.113.9')
    const values = [undefined, '', RELAYS, '203.0.113.9/33', '2001:db8::/129', 'a.cn', '1.2.3.4/8/9', 7]
    expect(values.map(areRelays)).toEqual([true, true, true, false, false, false, false, false])
  })
})
