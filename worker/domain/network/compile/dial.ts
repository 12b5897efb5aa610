import type { DialDocument } from '../../../contract/client.ts'
import { hostAddress } from '../segments.ts'
import { dialledAt, isMain } from './links.ts'
import { compareText, sortSegments } from './order.ts'
import type { DocumentMember, NetworkRows } from './rows.ts'
import { declaredLans, serviceSegments } from './segments-of.ts'
import { servicePort } from './servers.ts'

/** What a software member dials one of its networks by: the software service of each centre, a chosen main router first. */
export function compileDial(routerName: string, { ciphers, settings, members }: NetworkRows): DialDocument {
  const self = members.find((member) => member.routerName === routerName)
  if (!self) throw new Error(`${routerName} is no member`)
  const centers = members
    .filter(({ memberType }) => memberType === 'center')
    .toSorted(
      (a, b) =>
        Number(isMain(settings.routing, b)) - Number(isMain(settings.routing, a)) ||
        compareText(a.routerName, b.routerName),
    )
  return {
    mode: self.settings.software_mode.mode,
    ciphers,
    dns: [...settings.dns],
    servers: centers.map((center) => toServer(center, self)),
  }
}

function toServer(center: DocumentMember, self: DocumentMember): DialDocument['servers'][number] {
  const { router, software } = serviceSegments(center)
  return {
    kind: 'center',
    router_name: center.routerName,
    proto: 'udp',
    remotes: dialledAt(center, center.settings.fixed_port.software_service, servicePort(center, 'software')),
    segment: software,
    gateway: hostAddress(software, 1),
    ip: hostAddress(software, self.host),
    routes: sortSegments([router, ...declaredLans(center)]),
  }
}
