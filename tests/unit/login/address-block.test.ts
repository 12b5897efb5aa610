import { expect, it } from 'vitest'
import { addressBlock, limitBlock, wideAddressBlock } from '#domain/login/address-block.ts'

it.each([
  ['203.0.113.5', '203.0.113.5', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5', '203.0.113.5'],
  ['::ffff:cb00:7105', '203.0.113.5', '203.0.113.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64', '2001:db8:1::/48'],
  ['2001:db8::9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
])('%s counts as %s and, widely, as %s', (ip, block, wide) => {
  expect([addressBlock(ip), wideAddressBlock(ip)]).toEqual([block, wide])
})

it.each([
  ['203.0.113.5', '203.0.113.0/24'],
  ['203.0.113.255', '203.0.113.0/24'],
  ['::ffff:203.0.113.5', '203.0.113.0/24'],
  ['::FFFF:cb00:7105', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
  ['64:ff9b::203.0.113.5', '64:ff9b:0::/48'],
  ['unknown', 'unknown'],
])('the limits of the platform count %s under %s', (ip, block) => expect(limitBlock(ip)).toBe(block))
