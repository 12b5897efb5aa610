import type { z } from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { LinkView, MemberView, NetworkView } from '#contract/kernel/protocol.ts'
import type { networkApi } from '#contract/network/index.ts'
import type { networkLink, networkMember } from '#contract/network/views.ts'
import { isOnline } from '#domain/health/member.ts'

/* Live state of a network: members and links as the API lists them, merged with the states that the hub reports. */

export type NetworkInfo = Output<typeof networkApi.info>
type NetworkStatus = Output<typeof networkApi.status>
export type Member = z.infer<typeof networkMember>
export type Link = z.infer<typeof networkLink>

/** Source of tables, graph, counts and roll-out: the API decides who is a member, the hub reports the states. */
export interface Projection {
  readonly members: readonly Member[]
  readonly links: readonly Link[]
  /** Hub and API list different members: the network has to be read again. */
  readonly isBehind: boolean
  /** Last report of the hub on each member and link; kept across a reload of the network. */
  readonly reported: ReadonlyMap<string, MemberView>
  readonly reportedLinks: ReadonlyMap<string, LinkView>
  readonly seq: number
}

type ProjectionEvent =
  | { readonly type: 'info'; readonly info: Pick<NetworkInfo, 'member' | 'link'> }
  | { readonly type: 'snapshot'; readonly view: Omit<NetworkView, 'health'> }
  | { readonly type: 'delta'; readonly seq: number; readonly view: Pick<NetworkView, 'members' | 'links'> }
  | { readonly type: 'poll'; readonly status: Omit<NetworkStatus, 'health'> }
  | { readonly type: 'membership' }

export const EMPTY: Projection = {
  members: [],
  links: [],
  isBehind: false,
  reported: new Map(),
  reportedLinks: new Map(),
  seq: 0,
}

/** Applies an event. Unchanged members and links keep their identity, so that they are not rendered again. */
export function step(now: Projection, event: ProjectionEvent): Projection {
  switch (event.type) {
    case 'info':
      return {
        ...now,
        members: event.info.member.map((member) => withReported(member, now.reported.get(member.router_name))),
        links: event.info.link.map((link) => withState(link, now.reportedLinks.get(link.id) ?? link)),
        isBehind: false,
      }
    case 'snapshot':
      return { ...replaceReported(now, event.view.members, event.view.links), seq: event.view.seq }
    case 'poll':
      // A cached poll from before the socket opened is older than its frames.
      if (event.status.seq < now.seq) return now
      return { ...replaceReported(now, event.status.members, event.status.link), seq: event.status.seq }
    case 'delta':
      return { ...mergeReported(now, event.view.members, event.view.links), seq: event.seq }
    case 'membership':
      return { ...now, isBehind: true }
  }
}

function replaceReported(now: Projection, members: readonly MemberView[], links: readonly LinkView[]) {
  const reported = new Map(members.map((member) => [member.router_name, member]))
  const reportedLinks = new Map(links.map((link) => [link.id, link]))
  const known = new Map(now.links.map((link) => [link.id, link]))
  return {
    members: now.members.map((member) => withReported(member, reported.get(member.router_name))),
    links: links.map((link) => withState(known.get(link.id), link)),
    isBehind: now.isBehind || isUnknown(now, members) || now.members.length !== members.length,
    reported,
    reportedLinks,
  }
}

function mergeReported(now: Projection, members: readonly MemberView[], links: readonly LinkView[]) {
  const reported = new Map(now.reported)
  for (const member of members) reported.set(member.router_name, member)
  const reportedLinks = new Map(now.reportedLinks)
  for (const link of links) reportedLinks.set(link.id, link)
  const changed = new Map(links.map((link) => [link.id, link]))
  const known = new Set(now.links.map(({ id }) => id))
  const isNew = links.some(({ id }) => !known.has(id))
  return {
    members:
      members.length === 0
        ? now.members
        : now.members.map((member) => withReported(member, reported.get(member.router_name))),
    links: links.length === 0 ? now.links : now.links.map((link) => withState(link, changed.get(link.id) ?? link)),
    isBehind: now.isBehind || isNew || isUnknown(now, members),
    reported,
    reportedLinks,
  }
}

function isUnknown(now: Projection, members: readonly MemberView[]): boolean {
  const known = new Set(now.members.map((member) => member.router_name))
  return members.some((member) => !known.has(member.router_name))
}

function withReported(member: Member, reported: MemberView | undefined): Member {
  if (reported === undefined) return member
  const { presence, config } = reported
  if (shallowEqual(member.presence, presence) && shallowEqual(member.config, config)) return member
  return { ...member, presence, config, online: toWireBoolean(isOnline(presence)) }
}

/** A link that the network does not list yet has no notes and no address until it is read again. */
const UNLISTED = { router_name_note: '', center_router_name_note: '', vpn_ip: '', center_vpn_ip: '' }

/** Link with its reported state; a live frame has no notes and addresses, so those that were read stay. */
function withState(before: Link | undefined, reported: LinkView): Link {
  const { state, since, reason, rtt_ms, tunnel, client_up, server_up } = reported
  const live = { state, since, reason, rtt_ms, tunnel, client_up, server_up, vpn_online: toWireBoolean(state === 'up') }
  const after: Link = {
    ...(before ?? { ...UNLISTED, ...reported }),
    ...live,
    vpn_online_time: state === 'up' ? since : null,
  }
  return before !== undefined && shallowEqual(after, before) ? before : after
}

function shallowEqual<T extends object>(a: T, b: T): boolean {
  return a === b || (Object.keys(a) as (keyof T)[]).every((name) => a[name] === b[name])
}
