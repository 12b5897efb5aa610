import { segmentText } from '#domain/network/addresses/segments.ts'
import type { Member, NetworkInfo } from '#pages/network/projection.ts'

/** Segments of a centre, for hardware and for software. */
export const gatewayText = (gateway: Member['gateway']): string =>
  gateway === null ? '' : `硬件 ${segmentText(gateway.router)}，软件 ${segmentText(gateway.software)}`

/** Number of all segments of a network's centres, in words. */
export function poolText({ member }: Pick<NetworkInfo, 'member'>): string {
  const segments = member.flatMap(({ gateway }) => (gateway === null ? [] : [gateway.router, gateway.software]))
  return segments.length === 0 ? '没有中心点' : `${segments.length} 个中心点网段`
}

/** The ports in use; a service without a choice has one of the service's own. */
export const portsText = (ports: Member['fixed_port']): string =>
  ports === null ? '' : `硬件 ${ports.router_service.port}，软件 ${ports.software_service.port}`

export const hasFixedPorts = (ports: Member['fixed_port']): boolean =>
  ports !== null && [ports.router_service, ports.software_service].some(({ static_port: port }) => port !== null)
