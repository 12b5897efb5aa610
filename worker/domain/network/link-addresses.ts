import type { NetworkSettings } from '../../contract/network-settings.ts'
import type { PointLinkRow } from './compile/rows.ts'
import type { LinkKind } from './links.ts'
import { parseGateway, servedSegments } from './member-segment-list.ts'
import { hostAddress, segmentText } from './segments.ts'

/** A member as far as its addresses go; `gateway` as its row has it. */
export interface LinkEnd {
  readonly routerId: number
  readonly segmentIndex: number | null
  readonly host: number
  readonly gateway: string | null
}

/** What makes links besides the roles of members, with their addresses. */
export interface LinkRows {
  readonly centerLink: NetworkSettings['center_link']
  readonly pointLinks: readonly Pick<PointLinkRow, 'serverId' | 'clientId' | 'gateway' | 'mask'>[]
}

/** Inner addresses of both ends of a link, as compile/links.ts and compile/pair-links.ts give them; empty where unknown. */
export function linkAddresses(
  kind: Exclude<LinkKind, 'access' | 'pop'> | undefined,
  client: LinkEnd,
  server: LinkEnd,
  { centerLink, pointLinks }: LinkRows,
): { readonly client: string; readonly server: string } {
  const inSegment = (segment: string) => ({ client: hostAddress(segment, 2), server: hostAddress(segment, 1) })
  if (kind === undefined) return { client: hostIn(server, client.host), server: hostIn(server, 1) }
  if (kind === 'center')
    return centerLink.gateway === ''
      ? { client: hostIn(client, 1), server: hostIn(server, 1) }
      : inSegment(segmentText(centerLink))
  const row = pointLinks.find((link) => link.serverId === server.routerId && link.clientId === client.routerId)
  return row ? inSegment(segmentText(row)) : { client: '', server: '' }
}

/** An address in the hardware segment of a centre; empty for who is none. */
function hostIn({ gateway, ...center }: LinkEnd, host: number): string {
  if (center.segmentIndex === null) return ''
  return hostAddress(servedSegments({ ...center, gateway: parseGateway(gateway) }).router, host)
}
