import type { NetworkSettings } from '#contract/network/settings.ts'
import type { PointLinkRow } from '../compile/rows.ts'
import type { LinkKind } from '../members/links.ts'
import { parseGateway, servedSegments } from './member-segment-list.ts'
import { hostAddress, segmentText } from './segments.ts'

/** A member as far as its addresses go; `gateway` as its row has it. */
export interface LinkEnd {
  readonly routerId: number
  readonly segmentIndex: number | null
  readonly host: number
  readonly gateway: string | null
}

/** Link settings with their addresses. The other links follow from the roles of members. */
export interface LinkRows {
  readonly centerLink: NetworkSettings['center_link']
  readonly pointLinks: readonly Pick<PointLinkRow, 'serverId' | 'clientId' | 'gateway' | 'mask'>[]
}

type Segment = Pick<PointLinkRow, 'gateway' | 'mask'>

interface Ends<T> {
  readonly client: T
  readonly server: T
}

/** Inner addresses of a link with a segment of its own. */
export const pointLinkAddresses = (link: Segment): Ends<string> => ({
  client: hostAddress(segmentText(link), 2),
  server: hostAddress(segmentText(link), 1),
})

/** Without a segment of its own each end of the link answers under its address in the hardware segment. */
export const centerLinkAddresses = <T>(
  link: Segment,
  { client, server }: Ends<T>,
  hardwareAddress: (center: T) => string,
): Ends<string> =>
  link.gateway === '' ? { client: hardwareAddress(client), server: hardwareAddress(server) } : pointLinkAddresses(link)

/** Inner addresses of both ends of a link, as compile/links.ts and compile/pair-links.ts give them; empty where unknown. */
export function linkAddresses(
  kind: Exclude<LinkKind, 'access' | 'pop'> | undefined,
  client: LinkEnd,
  server: LinkEnd,
  { centerLink, pointLinks }: LinkRows,
): Ends<string> {
  if (kind === undefined) return { client: hostIn(server, client.host), server: hostIn(server, 1) }
  if (kind === 'center') return centerLinkAddresses(centerLink, { client, server }, (center) => hostIn(center, 1))
  const row = pointLinks.find((link) => link.serverId === server.routerId && link.clientId === client.routerId)
  return row ? pointLinkAddresses(row) : { client: '', server: '' }
}

/** An address in the hardware segment of a centre; empty for who is none. */
function hostIn({ gateway, ...center }: LinkEnd, host: number): string {
  if (center.segmentIndex === null) return ''
  return hostAddress(servedSegments({ ...center, gateway: parseGateway(gateway) }).router, host)
}
