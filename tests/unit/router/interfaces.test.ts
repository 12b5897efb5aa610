import { expect, it } from 'vitest'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { parseInterfaces, reportedSegments, findWanAddress, subnetMask } from '#domain/router/interfaces.ts'

const port = (name: string, role: InterfaceInfo['role'], ip: string, mask = 24): InterfaceInfo => ({
  interface: name,
  interface_uuid: name,
  protocol: 'static',
  role,
  ip,
  mask,
  mac: '',
  mtu: 1500,
  up: true,
})
const device = [
  port('wan6', 'wan', '2001:db8::1', 64),
  port('wan', 'wan', '203.0.113.9'),
  port('lan0', 'lan', '192.168.1.1'),
  port('lan1', 'lan', ''),
  port('lan2', 'lan', 'fd00::1', 64),
  port('tun0', 'tunnel', '100.64.0.2', 20),
]

it('a device reports the IPv4 segments of its LANs and WANs, not of its tunnels', () =>
  expect(reportedSegments(device)).toEqual({ lans: ['192.168.1.1/24'], wans: ['203.0.113.9/24'] }))
it('the address of a device is its first IPv4 on a WAN', () => {
  expect(findWanAddress(device)).toBe('203.0.113.9')
  expect(findWanAddress(device.slice(2))).toBe('')
})
it('a router without a state row has no interfaces', () => expect(parseInterfaces(null)).toEqual([]))
it.each([
  ['192.168.1.1', 24, '255.255.255.0'],
  ['10.0.0.1', 0, '0.0.0.0'],
  ['10.0.0.1', 20, '255.255.240.0'],
  ['10.0.0.1', 32, '255.255.255.255'],
  ['10.0.0.1', 64, ''],
  ['2001:db8::1', 24, ''],
  ['', 0, ''],
])('the mask of %s/%d is %s', (ip, mask, text) => expect(subnetMask({ ip, mask })).toBe(text))
