import { LINK_DEBOUNCE_MS } from '#contract/kernel/hub-limits.ts'
import { type LinkEnd, toLinkState } from '#domain/health/link.ts'
import { isPresent } from '#domain/health/member.ts'
import type { PublicAddress, TunnelDevice } from '#domain/health/reach.ts'
import { siteOf } from '#domain/health/site.ts'
import { type LinkKind, type LinkSettings, allLinks, backboneLinks } from '#domain/network/members/links.ts'
import { NEVER_SEEN } from '#domain/router/presence.ts'
import type { CentersQuestion, ClientChange, HubName, NetworkHubRpc } from '#contract/kernel/hubs.ts'
import type { LinkView, MemberView, PresenceView, TunnelEnd } from '#contract/kernel/protocol.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Projection of a network: its members and links, from rows and reports of devices. Pure functions. */

/** A member with the name of its own hub. */
export interface HubMember extends Omit<MemberView, 'member_type'> {
  /** pop: a node of the operator; viewers do not see it as a member. */
  readonly member_type: MemberView['member_type'] | 'pop'
  readonly router_hub: HubName
  /** Hub of the account of a pop node, which is another than the network's; absent for members. */
  readonly account_hub?: HubName
  /** Name of the area of a pop node; absent for members, and in the storage of the release before. */
  readonly area?: string
  /** Public address that it may share with others; absent in the storage of the release before. */
  readonly site?: string | null
  /** Addresses of a device that runs tunnels; absent for others. */
  readonly tunnels?: TunnelDevice
  /** Chosen public addresses of a centre that runs tunnels, by the kind of link that it serves. Absent: none. */
  /** Revision of the network that the document of a centre with tunnels is compiled from; absent for others. */
  readonly compiled?: number
  readonly published?: { readonly access: PublicAddress; readonly center: PublicAddress }
}

type HubLinkKind = Exclude<LinkKind, 'access'> | 'backbone'

/** Link in the storage of the hub; an end is null until it has reported since its reconnect. */
export interface HubLink extends Omit<LinkView, 'client_up' | 'server_up' | 'tunnel' | 'kind' | 'remote'> {
  /** backbone: between two nodes; viewers do not see it. Absent: access. */
  readonly kind?: HubLinkKind | undefined
  readonly clientUp: boolean | null
  readonly serverUp: boolean | null
  /** Tunnel as each end has it; absent without one, and in the storage of the release before. */
  readonly clientTunnel?: TunnelEnd | undefined
  readonly serverTunnel?: TunnelEnd | undefined
  /** Absent: of a client with one target, or down. */
  readonly remote?: string | undefined
  /**
   * Start of a disagreement of the ends on a link that is not up. The verdict waits for reports that arrive a bit later.
   */
  readonly disagreeSince: number | null
}

/** Members and links of one network, by name and by id, in the order of the rows. */
export interface HubProjection {
  readonly members: ReadonlyMap<string, HubMember>
  readonly links: ReadonlyMap<string, HubLink>
}

export const emptyProjection: HubProjection = { members: new Map(), links: new Map() }

/** Change of a member. It is ignored, as a report of links is, unless it comes from the hub of the member in the rows. */
export type MemberChange = Parameters<NetworkHubRpc['memberChanged']>[0]
export type LinksReport = Parameters<NetworkHubRpc['linksReported']>[0]

/** Link settings with the ids by which they name members. */
export interface HubLinkSettings extends LinkSettings {
  readonly ids: ReadonlyMap<string, number>
  /** Nodes that carry the network. Absent: none. */
  readonly nodes?: Parameters<typeof backboneLinks>[1]
}

/**
 * Builds the projection from the rows. Known states of a device win over its row unless the row is newer, and a link that
 * still exists keeps its state. A network that is withdrawn from all documents has no links.
 */
export function rebuild(
  before: HubProjection,
  { number, isWithdrawn }: { readonly number: string; readonly isWithdrawn: boolean },
  rows: readonly HubMember[],
  now: number,
  settings: HubLinkSettings,
): HubProjection {
  const members = new Map(rows.map((row) => [row.router_name, pickNewer(before.members.get(row.router_name), row)]))
  const nodes = rows.flatMap(({ router_name, router_type, member_type }) =>
    member_type === 'pop'
      ? []
      : [
          {
            routerId: settings.ids.get(router_name) ?? 0,
            routerName: router_name,
            routerType: router_type,
            memberType: member_type,
          },
        ],
  )
  const isSameRouter = (name: string) => before.members.get(name)?.router_hub === members.get(name)?.router_hub
  const all = isWithdrawn ? [] : [...allLinks(number, nodes, settings), ...backboneLinks(number, settings.nodes ?? [])]
  const links = new Map(
    all.map(({ id, client, server, kind }) => {
      const old = isSameRouter(client) && isSameRouter(server) ? before.links.get(id) : undefined
      const link = (old?.kind ?? 'access') === kind ? old : undefined
      return [id, evaluateLink(link ?? { ...newLink(id, client, server, kind), ...reportsOf(old) }, members, now)]
    }),
  )
  return { members, links }
}

/**
 * A router that was deleted and claimed again has the same name and another hub. The row of a software member is its only
 * source. An unchanged member stays the same object.
 */
function pickNewer(known: HubMember | undefined, row: HubMember): HubMember {
  if (known?.router_hub !== row.router_hub) return row
  const member =
    row.router_type === ROUTER_TYPE.software
      ? row
      : {
          ...row,
          presence: (known.presence.since ?? 0) >= (row.presence.since ?? 0) ? known.presence : row.presence,
          config: (known.config.at ?? 0) >= (row.config.at ?? 0) ? known.config : row.config,
          ...(known.compiled !== undefined && { compiled: known.compiled }),
        }
  return isSameJson(member, known) ? known : member
}

const newLink = (id: string, client: string, server: string, kind: LinkKind | HubLinkKind): HubLink => ({
  id,
  router_name: client,
  center_router_name: server,
  ...(kind !== 'access' && { kind }),
  state: 'unknown',
  since: null,
  reason: '',
  rtt_ms: null,
  clientUp: null,
  serverUp: null,
  disagreeSince: null,
})

/** Reports of a link whose kind has changed with the roles: devices report by its id, and do not repeat what stays. */
const reportsOf = (link: HubLink | undefined) =>
  link && {
    clientUp: link.clientUp,
    serverUp: link.serverUp,
    clientTunnel: link.clientTunnel,
    serverTunnel: link.serverTunnel,
    remote: link.remote,
    rtt_ms: link.rtt_ms,
  }

/** Pure. Returns the same projection when nothing changed. */
export function withMember(
  before: HubProjection,
  { routerHub, routerName, presence, config, remoteHost, tunnels, compiled }: MemberChange,
  now: number,
): HubProjection {
  const known = before.members.get(routerName)
  if (known?.router_hub !== routerHub) return before
  const { tunnels: _, ...withoutTunnels } = known
  const changed = {
    ...(tunnels === null ? withoutTunnels : known),
    presence,
    config,
    ...(remoteHost !== undefined && { site: siteOf(remoteHost) }),
    ...(tunnels && { tunnels }),
    ...(compiled !== undefined && { compiled }),
  }
  if (isSameJson(known, changed)) return before
  const members = new Map(before.members).set(routerName, changed)
  // Link reports from before a disconnect are stale after the reconnect.
  const isGone = !isPresent(presence.state)
  return withLinks({ ...before, members }, routerName, now, (link) => (isGone ? clearReports(link, routerName) : link))
}

/**
 * True if the centres that are present run a document of this revision or a later one, or cannot. A name that the rows do
 * not have yet is waited for.
 */
export const areCentersApplied = ({ members }: HubProjection, { centers, revision }: CentersQuestion): boolean =>
  centers.every((name) => {
    const center = members.get(name)
    if (center === undefined) return false
    const { presence, config, tunnels, compiled = 0 } = center
    if (!isPresent(presence.state) || !tunnels) return true
    return compiled >= revision && config.state !== 'pushing' && config.state !== 'queued'
  })

/** Software members by their newest rows. */
export function withClients(before: HubProjection, changes: readonly ClientChange[]): HubProjection {
  const fresh = changes.flatMap(({ routerHub, routerName, presence }) => {
    const known = before.members.get(routerName)
    return known?.router_hub === routerHub && isNewer(presence, known.presence) ? [{ ...known, presence }] : []
  })
  if (fresh.length === 0) return before
  const members = new Map(before.members)
  for (const member of fresh) members.set(member.router_name, member)
  return { ...before, members }
}

/** `since` of software members only grows, except for a member that is enabled and was never connected. */
const isNewer = (a: PresenceView, b: PresenceView): boolean => a.since === null || a.since > (b.since ?? 0)

export function withReports(
  before: HubProjection,
  { routerHub, routerName, links }: LinksReport,
  now: number,
): HubProjection {
  if (before.members.get(routerName)?.router_hub !== routerHub) return before
  const reports = new Map(links.map((report) => [report.id, report]))
  return withLinks(before, routerName, now, (link) => {
    const report = reports.get(link.id)
    if (!report) return link
    const { up, rttMs, tunnel, remote } = report
    if (link.router_name === routerName)
      return { ...link, clientUp: up, clientTunnel: sameOr(link.clientTunnel, tunnel), remote, rtt_ms: rttMs }
    const serverTunnel = sameOr(link.serverTunnel, tunnel)
    return { ...link, serverUp: up, serverTunnel, rtt_ms: link.rtt_ms ?? rttMs }
  })
}

/** Reports of links that are not in the rows that were read; all of a router that is not in them. */
export const unknownLinks = (
  { members, links: known }: HubProjection,
  { routerHub, routerName, links }: LinksReport,
): LinksReport['links'] =>
  members.get(routerName)?.router_hub === routerHub ? links.filter(({ id }) => !known.has(id)) : links

/** Members that no earlier report has called unreachable and this one does. */
export function newlySilentPeers(before: HubProjection, { routerHub, routerName, links }: LinksReport): HubMember[] {
  if (before.members.get(routerName)?.router_hub !== routerHub) return []
  const silent = links.flatMap(({ id, up }) => {
    const link = before.links.get(id)
    if (up || !link) return []
    if (link.router_name === routerName) return link.clientUp === false ? [] : [link.center_router_name]
    return link.center_router_name !== routerName || link.serverUp === false ? [] : [link.router_name]
  })
  return silent.flatMap((name) => before.members.get(name) ?? []).filter(({ presence }) => isPresent(presence.state))
}

/** Replaces links that have this router at one end: a router reports for itself only. */
function withLinks(
  before: HubProjection,
  routerName: string,
  now: number,
  change: (link: HubLink) => HubLink,
): HubProjection {
  let links: Map<string, HubLink> | null = null
  for (const link of before.links.values()) {
    if (link.router_name !== routerName && link.center_router_name !== routerName) continue
    const next = evaluateLink(change(link), before.members, now)
    if (isSameLink(next, link)) continue
    links ??= new Map(before.links)
    links.set(link.id, next)
  }
  return links ? { ...before, links } : before
}

/** Compared field by field: a report of a centre may turn thousands of links. */
const isSameLink = (a: HubLink, b: HubLink): boolean =>
  a === b || (Object.keys({ ...a, ...b }) as (keyof HubLink)[]).every((field) => a[field] === b[field])

/** The known object if a report repeats it, so that links can be compared by identity. */
const sameOr = (known: TunnelEnd | undefined, reported: TunnelEnd | undefined): TunnelEnd | undefined =>
  isSameJson(known, reported) ? known : reported

const clearReports = (link: HubLink, routerName: string): HubLink =>
  link.router_name === routerName
    ? { ...link, clientUp: null, clientTunnel: undefined, remote: undefined, rtt_ms: null }
    : { ...link, serverUp: null, serverTunnel: undefined, rtt_ms: null }

function evaluateLink(link: HubLink, members: ReadonlyMap<string, HubMember>, now: number): HubLink {
  const end = (name: string, up: boolean | null, tunnel: TunnelEnd | undefined): LinkEnd => {
    const { presence = NEVER_SEEN, tunnels = null, published } = members.get(name) ?? {}
    const own = published?.[link.kind === 'center' ? 'center' : 'access']
    return { name, presence: presence.state, up, reason: tunnel?.reason, tunnels, ...(own && { published: own }) }
  }
  const { state, reason } = toLinkState(
    end(link.router_name, link.clientUp, link.clientTunnel),
    end(link.center_router_name, link.serverUp, link.serverTunnel),
    link.kind === 'backbone' ? 'pop' : link.kind,
  )
  const disagreeSince = state === 'one_sided' && isNotUp(link.state) ? (link.disagreeSince ?? now) : null
  if (disagreeSince !== null && now - disagreeSince < LINK_DEBOUNCE_MS) return { ...link, disagreeSince }
  const known = link.disagreeSince === null ? link : { ...link, disagreeSince: null }
  if (state === link.state && reason === link.reason && link.since !== null) return known
  return { ...known, state, reason, since: state === link.state && link.since !== null ? link.since : now }
}

const isNotUp = (state: LinkView['state']): boolean => state === 'down' || state === 'unknown'

export const hasPendingVerdicts = ({ links }: HubProjection): boolean =>
  [...links.values()].some((link) => link.disagreeSince !== null)

/** A link whose ends still disagree after the debounce is one-sided. */
export function resolvePending(before: HubProjection, now: number): HubProjection {
  const pending = [...before.links.values()].filter((link) => link.disagreeSince !== null)
  if (pending.length === 0) return before
  const links = new Map(before.links)
  for (const link of pending) links.set(link.id, evaluateLink(link, before.members, now))
  return { ...before, links }
}

export function changesBetween(
  before: HubProjection,
  after: HubProjection,
): { members: HubMember[]; links: HubLink[] } {
  const moved = <T>(old: ReadonlyMap<string, T>, fresh: ReadonlyMap<string, T>): T[] =>
    old === fresh ? [] : [...fresh].filter(([key, item]) => old.get(key) !== item).map(([, item]) => item)
  return { members: moved(before.members, after.members), links: moved(before.links, after.links) }
}

type MemberLink = HubLink & { readonly kind?: LinkView['kind'] }

/** Links that have a member at one end at least. */
export const memberLinks = (links: Iterable<HubLink>): readonly MemberLink[] =>
  [...links].filter((link): link is MemberLink => link.kind !== 'backbone')

/** Members and links for viewers, without fields that only the hub needs and without links between nodes. */
export const toViews = (members: readonly HubMember[], links: readonly HubLink[]) => ({
  members: members.flatMap(toMemberView),
  links: memberLinks(links).map(toLinkView),
})

function toMemberView({ router_name, router_type, member_type, presence, config }: HubMember): MemberView[] {
  return member_type === 'pop' ? [] : [{ router_name, router_type, member_type, presence, config }]
}

function toLinkView(link: MemberLink): LinkView {
  const { id, router_name, center_router_name, kind, state, since, reason, rtt_ms, remote } = link
  const reports = { client_up: link.clientUp, server_up: link.serverUp }
  const ends = { id, router_name, center_router_name, ...(kind !== undefined && { kind }) }
  const tunnel = toTunnel(link)
  const reached = { ...(tunnel && { tunnel }), ...(remote !== undefined && { remote }) }
  return { ...ends, state, since, reason, rtt_ms, ...reached, ...reports }
}

/** Tunnel of a link for viewers: what the client end measures, and each end's address as the other sees it. */
function toTunnel({ clientTunnel: client, serverTunnel: server }: HubLink): LinkView['tunnel'] {
  if (!client && !server) return undefined
  return {
    cipher: client?.cipher ?? server?.cipher ?? '',
    loss: client?.loss ?? server?.loss ?? null,
    client_remote: server?.remote ?? '',
    server_remote: client?.remote ?? '',
  }
}
