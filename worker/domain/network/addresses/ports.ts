import { type Violation, violation } from '#contract/kernel/result.ts'
import { HIDDEN_OWNER } from './overlap.ts'
import { DEFAULT_PORT, DEVICE_PORT, POP, PORT } from '#contract/network/limits.ts'
import { MEMBER_SETTINGS, NETWORK_SETTINGS, type MemberSettings } from '#contract/network/settings.ts'
import { labelOf } from '../members/member-name.ts'

/* Ports of devices: defaults, those in use in an account, and free ones. */

export type PortService = 'router' | 'software' | 'center_link'
const PLACE: Readonly<Record<PortService, number>> = { router: 0, software: 1, center_link: 2 }

/** The port of a service that chooses none: a subnet index is unique in the account, so no device gets one twice. */
export const defaultPort = (segmentIndex: number, service: PortService): number =>
  DEFAULT_PORT.first + segmentIndex * DEFAULT_PORT.perIndex + PLACE[service]

/** Ports of a node: for routers, for software, then one for each node that it accepts. */
export const nodePort = (portIndex: number, place: number): number =>
  DEFAULT_PORT.first + portIndex * POP.portsPerNetwork + place

/** Subnet indexes whose default ports these are: a new centre that got one would meet somebody else's choice. */
export const indexesOfPorts = (ports: readonly number[]): readonly number[] =>
  ports.map((port) => Math.floor((port - DEFAULT_PORT.first) / DEFAULT_PORT.perIndex))

/** Services of every device: its agent refuses a document that takes one of their ports. */
const OWN_SERVICES: readonly { readonly port: number; readonly owner: string; readonly isHidden: boolean }[] = [
  { port: DEVICE_PORT.bfd, owner: '设备自身的链路检测（BFD）', isHidden: false },
  { port: DEVICE_PORT.dns, owner: '设备自身的DNS服务', isHidden: false },
]

export interface UsedPort {
  /** The device that answers on it. */
  readonly routerId: number
  /** UDP port on the device, chosen or by default. */
  readonly port: number
  /** Public address of the service; null unless one is set. */
  readonly publicIp: string | null
  readonly publicPort: number | null
  /** As a refusal names it: 组网“a”的硬件服务. */
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

/** The next port that is free: behind the wanted one, then from the first on. Null where none is left. */
export function nextFreePort(wanted: number, used: readonly { readonly port: number }[]): number | null {
  const taken = new Set([...OWN_SERVICES, ...used].map(({ port }) => port))
  const start = Math.min(Math.max(wanted, PORT.min), PORT.max)
  for (let port = start; port <= PORT.max; port++) if (!taken.has(port)) return port
  for (let port: number = PORT.min; port < start; port++) if (!taken.has(port)) return port
  return null
}

interface NetworkName {
  readonly networkNumber: string
  readonly networkName: string
  readonly isHidden: boolean
}

/** A centre of a network, with the setting `fixed_port` as JSON where it has one. */
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

/** A link between two members; the device answers on `port`. */
interface PointLinkPort extends NetworkName {
  readonly routerId: number
  readonly port: number
}

/** The port of a device's link probes: its agent refuses a document that takes it. */
interface ProbePort {
  readonly routerId: number
  readonly port: number
}

/** Everything in an account that a port may meet. */
export interface PortRows {
  readonly centers: readonly CenterPorts[]
  readonly centerLinks: readonly CenterLinkPorts[]
  readonly pointLinks: readonly PointLinkPort[]
  /** Absent: none. */
  readonly probes?: readonly ProbePort[]
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

/** Ports in use; those of one centre's services are left out where they are about to change. */
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
    publicIp: null,
    publicPort: null,
    owner: `组网“${networkName}”的点对点互联`,
    isHidden,
  }))
  const ofProbes = probes.map(({ routerId, port }) => ({
    routerId,
    port,
    publicIp: null,
    publicPort: null,
    owner: '设备自身的链路探测',
    isHidden: false,
  }))
  return [...ofCenters, ...ofCenterLinks, ...ofPointLinks, ...ofProbes]
}

const parseFixedPort = (json: string | null): FixedPorts =>
  MEMBER_SETTINGS.fixed_port.parse(json === null ? undefined : JSON.parse(json))

/** Both services of a centre as somebody wants them, against everything else and against each other. */
export function checkFixedPorts(self: CenterPorts, wanted: FixedPorts, rows: PortRows): Violation | null {
  const others = usedPorts(rows, self)
  const services = servicePorts(self, wanted)
  for (const service of services) {
    const found = checkPort(service, [...others, ...services.filter((one) => one !== service)], service.field)
    if (found) return found
  }
  return null
}
