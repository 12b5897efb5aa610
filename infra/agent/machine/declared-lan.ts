import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { hostAddress, parseRange } from '#domain/network/addresses/segments.ts'

/**
 * Parses `--lan name=a.b.c.d/n` (demo): a LAN segment without an interface of this machine. It carries no traffic, and
 * its id begins with `declared-`. A network address means its first host. Throws on other text.
 */
export function declaredLan(text: string): InterfaceInfo {
  const [name = '', segment = ''] = text.split('=')
  const range = parseRange(segment)
  const [ip = '', mask = ''] = segment.split('/')
  if (!/^[\w.-]{1,15}$/.test(name) || !range) throw new Error(`--lan ${text}: expected name=10.13.0.0/24`)
  return {
    interface: name,
    interface_uuid: `declared-${name}`,
    protocol: 'static',
    role: 'lan',
    ip: ipNumber(ip) === range.first && range.last > range.first ? hostAddress(segment, 1) : ip,
    mask: Number(mask),
    mac: '',
    mtu: 1500,
    up: true,
  }
}
