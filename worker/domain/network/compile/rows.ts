import type { MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import { type MemberNode, centerLinkEnds } from '../members/links.ts'
import type { PointLink } from '../members/pair-links.ts'
import { parseRange } from '../addresses/segments.ts'
import { readMemberSettings, readNetworkSettings, type SettingRow } from '../history/stored-settings.ts'
import { MASK } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isName, toEndpoints } from '#domain/router/endpoints.ts'

/* Input of the compiler: rows of a network, their conversion from the database, and one router's view of them. */

/** Address or name at which a server is dialled, with the port of its probes. */
interface ServerEndpoint {
  readonly host: string
  readonly port: number
  /** Further ones, in their order. Absent: none. */
  readonly more?: readonly string[]
}

/** Addresses and names of a server, in the order in which they are dialled. */
export const hostsOf = (endpoint: ServerEndpoint | null): readonly string[] =>
  endpoint === null ? [] : [endpoint.host, ...(endpoint.more ?? [])]

export interface DocumentMember extends MemberNode {
  readonly routerId: number
  /** A centre's subnet index, unique in the account; null for a point. */
  readonly segmentIndex: number | null
  /** Host number in each centre's hardware segment, fixed at join; unique in the network. */
  readonly host: number
  /** Endpoint of the member's server; null until known. */
  readonly endpoint: ServerEndpoint | null
  /** Networks behind the device, `network/mask`. */
  readonly lans: readonly string[]
  /** Segments behind a next hop on its LAN. */
  readonly staticRoutes: readonly { readonly prefix: string; readonly via: string }[]
  readonly settings: MemberSettings
  /** Number of password changes of a software member. Absent: none. */
  readonly credentialVersion?: number
  /** True if its device runs tunnels. Absent: no. */
  readonly vpn?: boolean
  /** True for a disabled router that runs tunnels: no other document names it. Absent: no. */
  readonly isLeftOut?: boolean
}

export type PointLinkRow = Omit<PointLink, 'staticPort' | 'clientPort'> & {
  /** Absent: null. */
  readonly clientPort?: PointLink['clientPort']
}

/** A POP node: a server of the operator that serves members of its area. */
export interface PopNode extends Pick<DocumentMember, 'routerId' | 'routerName' | 'endpoint' | 'vpn'> {
  readonly areaId: number
  /** Subnet index, unique in the customer's account. */
  readonly segmentIndex: number
  /** Unique on the node, over the networks of all customers. */
  readonly portIndex: number
  /** Bandwidth of its area, Mbit/s. */
  readonly bandwidth: number
}

/** Rows of one network. For a point, its own row, its centres and the other ends of its links are enough. */
export interface NetworkRows {
  readonly networkNumber: string
  readonly ciphers: 'default' | 'sm'
  /** Hex; a probe key is derived from it for each link. */
  readonly secret: string
  readonly settings: NetworkSettings
  readonly members: readonly DocumentMember[]
  /** Absent: none. */
  readonly pointLinks?: readonly PointLinkRow[]
  /** All nodes that carry it; absent: none. */
  readonly popNodes?: readonly PopNode[]
  /** Preference if there are nodes: 1 centres, 2 POP. Absent: 1. */
  readonly mode?: number
}

/** One router's view of a network. Parts of its document are compiled from it. */
export interface NetworkView extends NetworkRows {
  readonly self: DocumentMember
  /** Members by name, sorted by name. */
  readonly byName: ReadonlyMap<string, DocumentMember>
  readonly centers: readonly DocumentMember[]
  /** Derives a link's probe key from the network's secret and the link's id. */
  readonly linkKey: (secret: string, linkId: string) => string
}

/** Stored columns of a member, with the last report of its device. */
export interface StoredDocumentMember extends Omit<
  DocumentMember,
  'endpoint' | 'lans' | 'staticRoutes' | 'settings' | 'vpn' | 'isLeftOut'
> {
  readonly remoteHost: string | null
  /** JSON of addresses that the account has set. Absent: none. */
  readonly endpoints?: string | null | undefined
  /** JSON of those of the device (domain/router/endpoints.ts). Null or absent: `remoteHost` alone. */
  readonly deviceEndpoints?: string | null | undefined
  readonly probePort: number | null
  /** 1: runs tunnels; null or absent: not reported. */
  readonly vpn?: number | null
  /** 0: disabled. Absent: enabled. */
  readonly status?: number
  /** JSON of `network/mask`; null before its device has reported. */
  readonly lans: string | null
  /** JSON. */
  readonly staticRoutes: string
}

interface StoredNetwork {
  readonly number: string
  readonly ciphers: 'default' | 'sm'
  readonly secret: string
  readonly settings: readonly SettingRow[]
  readonly memberSettings: readonly (SettingRow & { readonly routerId: number })[]
  readonly pointLinks?: readonly PointLinkRow[]
  readonly popNodes?: readonly StoredPopNode[]
  readonly mode?: number
}

/** Stored columns of a node. `portIndex` is null if an earlier release wrote the row. */
export interface StoredPopNode
  extends Omit<PopNode, 'endpoint' | 'portIndex' | 'vpn'>, Pick<StoredDocumentMember, keyof StoredEndpoint | 'vpn'> {
  readonly portIndex: number | null
}

export function toNetworkRows(network: StoredNetwork, members: readonly StoredDocumentMember[]): NetworkRows {
  const byRouter = new Map<number, SettingRow[]>()
  for (const row of network.memberSettings) byRouter.set(row.routerId, [...(byRouter.get(row.routerId) ?? []), row])
  return {
    networkNumber: network.number,
    ciphers: network.ciphers,
    secret: network.secret,
    settings: readNetworkSettings(network.settings).values,
    members: members.map((member) => toMember(member, byRouter.get(member.routerId) ?? [])),
    pointLinks: network.pointLinks ?? [],
    popNodes: (network.popNodes ?? []).map(toNode),
    mode: network.mode ?? 1,
  }
}

type OfNetwork<T> = T & { readonly networkId: number }

interface StoredNetworks {
  readonly networks: readonly (Pick<StoredNetwork, 'number' | 'ciphers' | 'secret' | 'mode'> & {
    readonly id: number
    readonly withdrawn: number
  })[]
  readonly members: readonly OfNetwork<StoredDocumentMember>[]
  readonly pointLinks: readonly OfNetwork<PointLinkRow>[]
  readonly popNodes: readonly OfNetwork<StoredPopNode>[]
  readonly settings: readonly OfNetwork<SettingRow>[]
  readonly memberSettings: readonly OfNetwork<StoredNetwork['memberSettings'][number]>[]
}

/** Rows by network, without networks that a long suspension withdrew from devices. */
export function groupNetworkRows(rows: StoredNetworks): readonly NetworkRows[] {
  const ofNetwork = <T>(all: readonly OfNetwork<T>[], id: number) => all.filter(({ networkId }) => networkId === id)
  return rows.networks
    .filter(({ withdrawn }) => withdrawn === 0)
    .map((network) =>
      toNetworkRows(
        {
          ...network,
          settings: ofNetwork(rows.settings, network.id),
          memberSettings: ofNetwork(rows.memberSettings, network.id),
          pointLinks: ofNetwork(rows.pointLinks, network.id),
          popNodes: ofNetwork(rows.popNodes, network.id),
        },
        ofNetwork(rows.members, network.id),
      ),
    )
}

function toNode({
  remoteHost,
  endpoints,
  deviceEndpoints,
  probePort,
  portIndex,
  vpn,
  ...node
}: StoredPopNode): PopNode {
  const endpoint = toEndpoint({ remoteHost, endpoints, deviceEndpoints, probePort })
  return { ...node, vpn: vpn === 1, portIndex: portIndex ?? 0, endpoint }
}

type StoredEndpoint = Pick<StoredDocumentMember, 'remoteHost' | 'endpoints' | 'deviceEndpoints' | 'probePort'>

function toEndpoint({ remoteHost, endpoints = null, deviceEndpoints = null, probePort }: StoredEndpoint) {
  const [first, ...more] = toEndpoints({ remoteHost, endpoints, deviceEndpoints }).map(({ host }) => host)
  if (first === undefined || probePort === null || probePort === 0) return null
  return { host: first, port: probePort, ...(more.length > 0 && { more }) }
}

/** True if a member or node may be dialled by a name. */
export const hasNames = ({ members, popNodes = [] }: NetworkRows): boolean =>
  [...members, ...popNodes].some(({ endpoint }) => hostsOf(endpoint).some(isName))

/** The same rows for a device or client that looks up no names. */
export function withoutNames(rows: NetworkRows): NetworkRows {
  if (!hasNames(rows)) return rows
  const byAddress = <T extends Pick<DocumentMember, 'endpoint'>>(member: T): T => {
    const [host, ...more] = hostsOf(member.endpoint).filter((each) => !isName(each))
    const { endpoint } = member
    return { ...member, endpoint: endpoint && host !== undefined ? { host, port: endpoint.port, more } : null }
  }
  return { ...rows, members: rows.members.map(byAddress), popNodes: (rows.popNodes ?? []).map(byAddress) }
}

function toMember(row: StoredDocumentMember, settings: readonly SettingRow[]): DocumentMember {
  const { routerId, routerName, routerType, memberType, segmentIndex, host } = row
  return {
    routerId,
    routerName,
    routerType,
    memberType,
    segmentIndex,
    host,
    endpoint: toEndpoint(row),
    lans: (JSON.parse(row.lans ?? '[]') as string[]).filter(isDeclarable),
    staticRoutes: JSON.parse(row.staticRoutes) as DocumentMember['staticRoutes'],
    settings: readMemberSettings(settings).values,
    credentialVersion: row.credentialVersion ?? 0,
    vpn: row.vpn === 1,
    isLeftOut: row.vpn === 1 && row.status === 0 && routerType === ROUTER_TYPE.hardware,
  }
}

/** Members that the document of one router may name: itself, and all that are not left out. */
export const namedMembers = (
  members: readonly DocumentMember[],
  selfName: string | null = null,
): readonly DocumentMember[] =>
  members.filter(({ routerName, isLeftOut }) => isLeftOut !== true || routerName === selfName)

/** False for a LAN that is too large, so that a device declares no default route by its LAN. */
export const isDeclarable = (segment: string): boolean => {
  const range = parseRange(segment)
  return range !== null && range.last - range.first < 2 ** (32 - MASK.prefix.min)
}

/** The other centre that the twin-centre link reaches; null without one. */
export function twinOf({ self, members, settings }: Pick<NetworkView, 'self' | 'members' | 'settings'>) {
  const ends = centerLinkEnds(settings.center_link, members)
  if (ends === null || self.memberType !== 'center') return null
  return self === ends.server ? ends.client : ends.server
}

export const hasPointLinks = ({ self, pointLinks = [] }: Pick<NetworkView, 'self' | 'pointLinks'>): boolean =>
  pointLinks.some(({ serverId, clientId }) => self.routerId === serverId || self.routerId === clientId)
