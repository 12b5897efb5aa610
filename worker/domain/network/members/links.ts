/* Links of a network: ids, kinds, route preferences, and the list that follows from roles and settings. */

/** A member with its names on the wire, so that documents, views and logs agree. */
export interface MemberNode {
  readonly routerName: string
  readonly routerType: 1 | 2
  readonly memberType: 'center' | 'point'
}

export interface MemberLink {
  /**
   * `<network number>:<client>><server>`: stable over edits, so that a rebuilt projection keeps its history, and different
   * for the same pair in another network.
   */
  readonly id: string
  readonly client: string
  readonly server: string
  readonly kind: LinkKind
}

/** Kind of a link in views. Access links are the most frequent ones and omit it. */
export const kindOnWire = (kind: LinkKind) => (kind === 'access' ? {} : { kind })

/** access: from a point to a centre; center: between two centres; point: between two points; pop: to a POP node. */
export type LinkKind = 'access' | 'center' | 'point' | 'pop'

/**
 * Local preference of routes by kind of link; both ends use the same value. `main` and `secondary` are access to the
 * chosen routers of type 2. POP links add 10 for the main area, and 5 minus the priority.
 */
export const LINK_PREFERENCE = {
  point: 60,
  popFirst: 50,
  main: 45,
  secondary: 42,
  access: 40,
  center: 20,
  backbone: 20,
  pop: 20,
  mainArea: 10,
} as const

export const linkId = (networkNumber: string, client: string, server: string): string =>
  `${networkNumber}:${client}>${server}`

/** Router at the other end of a link. */
export function peerOfLink(id: string, routerName: string): string {
  const [client = '', server = ''] = id.slice(id.indexOf(':') + 1).split('>')
  return client === routerName ? server : client
}

export const isLinkIn = (networkNumber: string, id: string): boolean => id.startsWith(`${networkNumber}:`)

/** Links between the nodes of a network: of two, the one with the higher subnet index dials. Viewers do not see them. */
export const backboneLinks = (
  networkNumber: string,
  nodes: readonly { readonly routerName: string; readonly segmentIndex: number }[],
) =>
  nodes.flatMap((client) =>
    nodes
      .filter((server) => client.segmentIndex > server.segmentIndex)
      .map((server) => ({
        id: linkId(networkNumber, client.routerName, server.routerName),
        client: client.routerName,
        server: server.routerName,
        kind: 'backbone' as const,
      })),
  )

/** The network and the names in an id; null for other text. */
export function linkEnds(id: string) {
  const [, number, client, server] = /^([^:]+):([^>]+)>(.+)$/.exec(id) ?? []
  return number === undefined || client === undefined || server === undefined ? null : { number, client, server }
}

const TRUNK = 'trunk:'
/** Name of all links between a centre or node and the points, in the drawing and in frames. */
export const trunkId = (routerName: string): string => `${TRUNK}${routerName}`
/** The centre or node of a trunk; null for the id of a link. */
export const trunkOf = (id: string): string | null => (id.startsWith(TRUNK) ? id.slice(TRUNK.length) : null)

/**
 * The links of a hub network: each hardware point to each centre. Software members dial by choice, so a missing tunnel
 * of theirs is no fault and no link. Order: by centre, then point, as given.
 */
export function computeLinks(networkNumber: string, members: readonly MemberNode[]): readonly MemberLink[] {
  const centers = members.filter((m) => m.memberType === 'center')
  const points = members.filter((m) => m.memberType === 'point' && m.routerType === 1)
  return centers.flatMap((center) =>
    points.map((point) => ({
      id: linkId(networkNumber, point.routerName, center.routerName),
      client: point.routerName,
      server: center.routerName,
      kind: 'access' as const,
    })),
  )
}

/** A member with the id that settings use. */
export interface NamedNode extends MemberNode {
  readonly routerId: number
}

/** Settings that create links, in addition to those between centres and points. */
export interface LinkSettings {
  readonly centerLink: { readonly enable: 0 | 1; readonly server: number | null }
  readonly pointLinks: readonly { readonly serverId: number; readonly clientId: number }[]
  /** Absent: no node carries the network. */
  readonly pop?: PopLinks
}

/** Nodes by the area that they serve, and the areas that members dial. */
export interface PopLinks {
  readonly nodes: readonly { readonly routerName: string; readonly areaId: number }[]
  readonly areasOf: (routerId: number) => { readonly main: number | null; readonly backup: number | null }
  /** True when the node's POP segment has an address for the member. Without one documents contain no link. */
  readonly hasPlace: (routerId: number, nodeName: string) => boolean
}

/** The ends of the twin-centre link; null unless it is on and there are exactly two centres, one of them its server. */
export function centerLinkEnds<T extends Pick<NamedNode, 'routerId' | 'memberType'>>(
  { enable, server: serverId }: LinkSettings['centerLink'],
  members: readonly T[],
): { readonly server: T; readonly client: T } | null {
  const centers = members.filter((m) => m.memberType === 'center')
  const [server, client] = centers.toSorted((a) => (a.routerId === serverId ? -1 : 1))
  if (enable === 0 || centers.length !== 2 || !server || !client || server.routerId !== serverId) return null
  return { server, client }
}

type NamedMember = Pick<MemberNode, 'routerName'>

/** All links of a network: those of its roles, the twin-centre link, point links in their order, and those to POP nodes. */
export function allLinks(
  networkNumber: string,
  members: readonly NamedNode[],
  { centerLink, pointLinks, pop }: LinkSettings,
): readonly MemberLink[] {
  const byId = new Map(members.map((m) => [m.routerId, m]))
  const toLink = (client: NamedMember, server: NamedMember, kind: LinkKind): MemberLink => ({
    id: linkId(networkNumber, client.routerName, server.routerName),
    client: client.routerName,
    server: server.routerName,
    kind,
  })
  const twin = centerLinkEnds(centerLink, members)
  return [
    ...computeLinks(networkNumber, members),
    ...(twin ? [toLink(twin.client, twin.server, 'center')] : []),
    ...pointLinks.flatMap(({ serverId, clientId }) => {
      const [server, client] = [byId.get(serverId), byId.get(clientId)]
      return server && client ? [toLink(client, server, 'point')] : []
    }),
    ...members
      .filter(({ routerType }) => pop && routerType === 1)
      .flatMap((member) => {
        const { main, backup } = pop?.areasOf(member.routerId) ?? { main: null, backup: null }
        const nodes = pop?.nodes.filter(({ areaId }) => areaId === main || areaId === backup) ?? []
        return nodes
          .filter(({ routerName }) => pop?.hasPlace(member.routerId, routerName))
          .map((node) => toLink(member, node, 'pop'))
      }),
  ]
}
