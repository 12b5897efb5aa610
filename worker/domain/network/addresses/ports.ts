import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Neighbor } from './member-segments.ts'
import { HIDDEN_OWNER } from './overlap.ts'
import { DEFAULT_PORT, DEVICE_PORT, POP, PORT } from '#contract/network/limits.ts'
import { MEMBER_SETTINGS, NETWORK_SETTINGS, type MemberSettings } from '#contract/network/settings.ts'
import { labelOf } from '../members/member-name.ts'

/* UDP ports that devices listen on: defaults, those in use in an account, checks of a wanted one, free ones. */

export type PortService = 'router' | 'software' | 'center_link'
const PLACE: Readonly<Record<PortService, number>> = { router: 0, software: 1, center_link: 2 }

/** Port of a service without a chosen one. Subnet indexes are unique in the account, so no device gets a port twice. */
export const defaultPort = (segmentIndex: number, service: PortService): number =>
  DEFAULT_PORT.first + segmentIndex * DEFAULT_PORT.perIndex + PLACE[service]

/** Port of a POP node: the first for routers, then for software, then one for each node that it accepts. */
export const nodePort = (portIndex: number, place: number): number =>
  DEFAULT_PORT.first + portIndex * POP.portsPerNetwork + place

/** Subnet indexes with these default ports. A new centre avoids them, since its port would collide with a chosen one. */
export const indexesOfPorts = (ports: readonly number[]): readonly number[] =>
  ports.map((port) => Math.floor((port - DEFAULT_PORT.first) / DEFAULT_PORT.perIndex))

/** Ports of services on every device. The agent refuses a configuration that uses one of them. */
const OWN_SERVICES: readonly { readonly port: number; readonly owner: string; readonly isHidden: boolean }[] = [
  { port: DEVICE_PORT.bfd, owner: '设备自身的链路检测（BFD）', isHidden: false },
  { port: DEVICE_PORT.dns, owner: '设备自身的DNS服务', isHidden: false },
]

export interface UsedPort {
  readonly routerId: number
  /** UDP port on the device, chosen or by default. */
  readonly port: number
  /** Public address of the service; null unless one is set. */
  readonly publicIp: string | null
  readonly publicPort: number | null
  /** Name in refusals: 组网“a”的硬件服务. */
  readonly owner: string
  /** In a network that the caller's role does not cover. */
  readonly isHidden: boolean
}

/**
 * Ports of a device are unique over all its networks, services and links; a public address with its port is unique in the
 * account. `field` names the service on the wire.
 */
export function checkPort(wanted: UsedPort, others: readonly UsedPort[], field: string): Violation | null {
  const onDevice = others.filter(({ routerId }) => routerId === wanted.routerId)
  const local = [...OWN_SERVICES, ...onDevice].find(({ port }) => port === wanted.port)
  if (local) {
    const free = nextFreePort(wanted.port, onDevice)
    if (free === null) return violation('PORTS_USED_UP', {}, `${field}.static_port`)
    const params = { port: wanted.port, owner: local.owner, free }
    return violation(local.isHidden ? 'PORT_TAKEN_HIDDEN' : 'PORT_TAKEN', params, `${field}.static_port`)
  }
  const { publicIp: ip, publicPort: port } = wanted
  if (ip === null || port === null) return null
  const sameAddress = others.flatMap((o) =>
    o.publicIp === ip && o.publicPort !== null ? [{ ...o, port: o.publicPort }] : [],
  )
  const taken = sameAddress.find((o) => o.port === port)
  if (!taken) return null
  const owner = taken.isHidden ? HIDDEN_OWNER : taken.owner
  return violation(
    'PUBLIC_PORT_TAKEN',
    { ip, port, owner, free: nextFreePort(port, sameAddress) ?? port },
    `${field}.public_port`,
  )
}

/** Next free port after the wanted one, then from the first port on; null if none is left. */
export function nextFreePort(wanted: number, used: readonly { readonly port: number }[]): number | null {
  const taken = new Set([...OWN_SERVICES, ...used].map(({ port }) => port))
  const start = Math.min(Math.max(wanted, PORT.min), PORT.max)
  for (let port = start; port <= PORT.max; port++) if (!taken.has(port)) return port
  for (let port: number = PORT.min; port < start; port++) if (!taken.has(port)) return port
  return null
}

type NetworkName = Pick<Neighbor, 'networkNumber' | 'networkName' | 'isHidden'>

/** A centre of a network, with the setting `fixed_port` as JSON if it has one. */
export interface CenterPorts extends NetworkName {
  readonly routerId: number
  readonly routerName: string
  readonly note: string
  readonly segmentIndex: number
  readonly fixedPort: string | null
}

/** The setting `center_link` of a network, as JSON. */
interface CenterLinkPorts extends NetworkName {
  readonly value: string
}

/** Port on which a device listens. */
type DevicePort = Pick<UsedPort, 'routerId' | 'port'>

/** Ports of both ends of a point link. */
export const portsOfLink = (link: {
  readonly serverId: number
  readonly port: number
  readonly clientId: number
  readonly clientPort: number | null
}): readonly DevicePort[] => [
  { routerId: link.serverId, port: link.port },
  ...(link.clientPort === null ? [] : [{ routerId: link.clientId, port: link.clientPort }]),
]

/** All rows of an account that use ports. */
export interface PortRows {
  readonly centers: readonly CenterPorts[]
  readonly centerLinks: readonly CenterLinkPorts[]
  readonly pointLinks: readonly (DevicePort & NetworkName)[]
  /** Ports of link probes, which the agent lets no configuration use; absent: none. */
  readonly probes?: readonly DevicePort[]
}

const SERVICES = [
  ['router', 'router_service', '硬件服务'],
  ['software', 'software_service', '软件服务'],
] as const

type FixedPorts = MemberSettings['fixed_port']

export const servicePorts = (center: CenterPorts, fixed: FixedPorts): readonly (UsedPort & { field: string })[] =>
  SERVICES.map(([service, field, name]) => ({
    field,
    routerId: center.routerId,
    port: fixed[field].static_port ?? defaultPort(center.segmentIndex, service),
    publicIp: fixed[field].public_ip,
    publicPort: fixed[field].public_port,
    owner: `组网“${center.networkName}”中${labelOf(center)}的${name}`,
    isHidden: center.isHidden,
  }))

const NOT_PUBLIC = { publicIp: null, publicPort: null }

/** Ports in use, without the services of the centre `changing`. */
export function usedPorts(
  { centers, centerLinks, pointLinks, probes = [] }: PortRows,
  changing?: CenterPorts,
): readonly UsedPort[] {
  const ofCenters = centers
    .filter((one) => one.routerId !== changing?.routerId || one.networkNumber !== changing.networkNumber)
    .flatMap((center) => servicePorts(center, parseFixedPort(center.fixedPort)))
  const ofCenterLinks = centerLinks.flatMap(({ value, networkName, networkNumber, isHidden }): UsedPort[] => {
    const { enable, server, ports } = NETWORK_SETTINGS.center_link.parse(JSON.parse(value))
    const center = centers.find((one) => one.networkNumber === networkNumber && one.routerId === server)
    if (enable === 0 || !center) return []
    return [
      {
        routerId: center.routerId,
        port: ports.static_port ?? defaultPort(center.segmentIndex, 'center_link'),
        publicIp: ports.public_ip,
        publicPort: ports.public_port,
        owner: `组网“${networkName}”的双中心点互通`,
        isHidden,
      },
    ]
  })
  const ofPointLinks = pointLinks.map(({ routerId, port, networkName, isHidden }) => ({
    routerId,
    port,
    ...NOT_PUBLIC,
    owner: `组网“${networkName}”的点对点互联`,
    isHidden,
  }))
  const ofProbes = probes.map(({ routerId, port }) => ({
    routerId,
    port,
    ...NOT_PUBLIC,
    owner: '设备自身的链路探测',
    isHidden: false,
  }))
  return [...ofCenters, ...ofCenterLinks, ...ofPointLinks, ...ofProbes]
}

const parseFixedPort = (json: string | null): FixedPorts =>
  MEMBER_SETTINGS.fixed_port.parse(json === null ? undefined : JSON.parse(json))

/** Checks the wanted ports of a centre's two services against all others and against each other. */
export function checkFixedPorts(self: CenterPorts, wanted: FixedPorts, rows: PortRows): Violation | null {
  const others = usedPorts(rows, self)
  const services = servicePorts(self, wanted)
  for (const service of services) {
    const found = checkPort(service, [...others, ...services.filter((one) => one !== service)], service.field)
    if (found) return found
  }
  return null
}
