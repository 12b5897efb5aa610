import type { Violation } from '#contract/kernel/result.ts'
import { MEMBER_SETTINGS, NETWORK_SETTINGS, type MemberSettings } from '#contract/network/settings.ts'
import { labelOf } from '../members/label.ts'
import { type UsedPort, checkPort, defaultPort } from './ports.ts'

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

/** Ports of a centre's two services, chosen or by default. */
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
