import { createHash } from 'node:crypto'
import type { NetworkInterfaceInfo } from 'node:os'
import { z } from 'zod'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'

/* Interfaces of a machine, parsed from the output of `ip -j -d addr show` or, without `ip`, taken from Node. */

const address = z.looseObject({
  family: z.string().optional(),
  local: z.string().optional(),
  prefixlen: z.int().optional(),
  scope: z.string().optional(),
  dynamic: z.boolean().optional(),
  temporary: z.boolean().optional(),
  deprecated: z.boolean().optional(),
  tentative: z.boolean().optional(),
})
const entry = z.looseObject({
  ifname: z.string(),
  flags: z.array(z.string()),
  mtu: z.int(),
  operstate: z.string().optional(),
  link_type: z.string().optional(),
  address: z.string().optional(),
  linkinfo: z.looseObject({ info_kind: z.string().optional() }).optional(),
  addr_info: z.array(address),
})
/** `ip` prints an empty object for an interface that a filter leaves out. */
const output = z.array(z.union([entry, z.object({}).transform(() => null)]))

const TUNNELS: ReadonlySet<string> = new Set([
  'tun',
  'wireguard',
  'gre',
  'gretap',
  'sit',
  'ipip',
  'ip6tnl',
  'vti',
  'xfrm',
])
/** Virtual link kinds of the kernel that are not reported as interfaces. */
const PLUMBING: ReadonlySet<string> = new Set(['ifb', 'dummy', 'veth', 'nlmon'])

/** Interfaces by role, as the operator named them; others of the machine are not the agent's. */
export interface Ports {
  readonly wan: readonly string[]
  readonly lan: readonly string[]
}

/**
 * Interfaces from the output of `ip -j -d addr show`, in the form of the protocol. Throws on other text.
 *
 * @param ports interfaces that have a role, of whatever kind they are; null: each but tunnels and `wan` is a LAN.
 */
export function parseIpAddr(text: string, wan: string | null, ports: Ports | null = null): InterfaceInfo[] {
  return output
    .parse(JSON.parse(text))
    .filter((item) => item !== null)
    .filter((item) => !item.flags.includes('LOOPBACK') && (ports !== null || !PLUMBING.has(kindOf(item))))
    .filter((item) => ports === null || isPort(item.ifname, ports) || TUNNELS.has(kindOf(item)))
    .map((item) => ({
      ...toIdentity(item),
      ...toAddress(item),
      role: ports === null ? toRole(item, wan) : toPortRole(item.ifname, ports),
      mtu: item.mtu,
      up: isUp(item),
    }))
}

type Entry = z.infer<typeof entry>

const kindOf = (item: Entry): string => item.linkinfo?.info_kind ?? ''

const toRole = (item: Entry, wan: string | null): InterfaceInfo['role'] =>
  item.ifname === wan ? 'wan' : TUNNELS.has(kindOf(item)) ? 'tunnel' : 'lan'

const isPort = (name: string, { wan, lan }: Ports): boolean => wan.includes(name) || lan.includes(name)

const toPortRole = (name: string, { wan, lan }: Ports): InterfaceInfo['role'] =>
  wan.includes(name) ? 'wan' : lan.includes(name) ? 'lan' : 'tunnel'

/** Tunnels and ppp have no carrier: operstate is UNKNOWN while up. */
const isUp = ({ flags, operstate }: Entry): boolean =>
  flags.includes('UP') && operstate !== 'DOWN' && operstate !== 'LOWERLAYERDOWN'

function toIdentity(item: Entry): Pick<InterfaceInfo, 'interface' | 'interface_uuid' | 'mac'> {
  const mac = item.link_type === 'ether' ? (item.address ?? '') : ''
  return { interface: item.ifname, interface_uuid: interfaceUuid(item.ifname, mac), mac }
}

function toAddress(item: Entry): Pick<InterfaceInfo, 'protocol' | 'ip' | 'mask' | 'ip6'> {
  const usable = item.addr_info.filter((a) => a.local !== undefined && a.scope !== 'link')
  const chosen = usable.find((a) => a.family === 'inet') ?? usable[0]
  const lasting = usable.find((a) => a.family === 'inet6' && !a.temporary && !a.deprecated && !a.tentative)
  const ip6 = chosen?.family === 'inet' ? lasting?.local : undefined
  const protocol = isPpp(item.ifname) ? 'pppoe' : chosen?.dynamic ? 'dhcp' : 'static'
  return { protocol, ip: chosen?.local ?? '', mask: chosen?.prefixlen ?? 0, ...(ip6 !== undefined && { ip6 }) }
}

/** Fallback without `ip`: interfaces that are up and have an address; their link kind is unknown. */
export function fromOs(
  known: NodeJS.Dict<NetworkInterfaceInfo[]>,
  wan: string | null,
  mtuOf: (name: string) => number,
): InterfaceInfo[] {
  return Object.entries(known).flatMap(([name, list = []]) => {
    const chosen = list.find((a) => a.family === 'IPv4') ?? list[0]
    if (!chosen || chosen.internal) return []
    const mac = chosen.mac === '00:00:00:00:00:00' ? '' : chosen.mac
    return [
      {
        interface: name,
        interface_uuid: interfaceUuid(name, mac),
        protocol: isPpp(name) ? 'pppoe' : 'static',
        role: name === wan ? 'wan' : /^(tun|tap|wg|ov)\d/.test(name) ? 'tunnel' : 'lan',
        ip: chosen.address,
        mask: Number(chosen.cidr?.split('/')[1] ?? 0),
        mac,
        mtu: mtuOf(name),
        up: true,
      },
    ]
  })
}

const isPpp = (name: string): boolean => /^ppp(oe)?[-\d]/.test(name)

/** Stable id of a port, derived from its name and MAC. */
export function interfaceUuid(name: string, mac: string): string {
  const hex = createHash('sha256').update(`${name} ${mac}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
