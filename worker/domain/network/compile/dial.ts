import { compareText } from '#contract/kernel/compare.ts'
import type { DialDocument } from '#contract/client/index.ts'
import { hostAddress } from '../addresses/segments.ts'
import { ANYWHERE, accessPreference, dialledAt } from './links.ts'
import { nodeServicePort, routesBehindNodes } from './pop.ts'
import { type DocumentMember, type NetworkRows, type PopNode, namedMembers, withoutNames } from './rows.ts'
import { serviceSegments, hasPlace, nodeSegments, nodesOf } from './server-segments.ts'
import { routesBehind, servicePort } from './servers.ts'
import { POP_MODE, SOFTWARE_MODE } from '#contract/network/limits.ts'

/* Compiles the servers that the client of a software member dials. */

type DialServer = DialDocument['servers'][number]

/**
 * Services of centres, main router first and the secondary next, and of POP nodes with an account for the member, main area first. The member's
 * mode orders the two kinds; mode `default` follows the network. Their remotes are addresses, as clients of all releases read them.
 */
export function compileDial(routerName: string, rows: NetworkRows): DialDocument {
  const network = withoutNames(rows)
  const { ciphers, settings } = network
  const members = namedMembers(network.members, routerName)
  const self = members.find((member) => member.routerName === routerName)
  if (!self) throw new Error(`${routerName} is no member`)
  const { mode } = self.settings.software_mode
  const centers = listCenters(settings, members).map((center) => toCenter({ self: center, members, settings }, self))
  const nodes = listNodes(network, self).map((node) => toNode(network, node, self))
  const isPopFirst =
    mode === SOFTWARE_MODE.preferPop || (mode === SOFTWARE_MODE.default && network.mode === POP_MODE.popFirst)
  return {
    mode,
    ciphers,
    dns: [...settings.dns],
    servers: isPopFirst ? [...nodes, ...centers] : [...centers, ...nodes],
  }
}

const listCenters = (
  { routing }: NetworkRows['settings'],
  members: readonly DocumentMember[],
): readonly DocumentMember[] =>
  members
    .filter(({ memberType }) => memberType === 'center')
    .toSorted(
      (a, b) => accessPreference(routing, b) - accessPreference(routing, a) || compareText(a.routerName, b.routerName),
    )

function listNodes(network: NetworkRows, self: DocumentMember): readonly PopNode[] {
  const isMainArea = ({ areaId }: PopNode) => areaId === self.settings.ov.main
  return nodesOf(network, self)
    .filter((node) => hasPlace(network, self, node))
    .toSorted((a, b) => Number(isMainArea(b)) - Number(isMainArea(a)))
}

function toCenter(view: Parameters<typeof routesBehind>[0], self: DocumentMember): DialServer {
  const { self: center } = view
  const { software } = serviceSegments(center)
  return {
    kind: 'center',
    router_name: center.routerName,
    proto: 'udp',
    remotes: dialledAt(center, center.settings.fixed_port.software_service, servicePort(center, 'software')),
    fixed: center.settings.fixed_port.software_service.public_ip === null ? 0 : 1,
    segment: software,
    gateway: hostAddress(software, 1),
    ip: hostAddress(software, self.host),
    routes: routesBehind(view),
  }
}

function toNode(network: NetworkRows, node: PopNode, self: DocumentMember): DialServer {
  const { software } = nodeSegments(network, node)
  return {
    kind: 'pop',
    router_name: node.routerName,
    proto: 'udp',
    remotes: dialledAt(node, ANYWHERE, nodeServicePort(node, 'software')),
    fixed: 1,
    segment: software,
    gateway: hostAddress(software, 1),
    ip: hostAddress(software, self.host),
    routes: routesBehindNodes(network, namedMembers(network.members)),
  }
}
