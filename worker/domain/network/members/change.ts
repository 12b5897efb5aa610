import { type Violation, violation } from '#contract/kernel/result.ts'
import { NO_PORTS } from '#contract/network/fields.ts'
import type { MemberSetting, NetworkSettings } from '#contract/network/settings.ts'
import { type NamedMember, toMembershipDiffs } from '../history/history.ts'
import { type SettingRow, readNetworkSettings } from '../history/stored-settings.ts'
import type { EndedSettings } from './affected.ts'
import type { LinkSettings } from './links.ts'
import { labelOf } from './member-name.ts'
import { type Member, diffMembers } from './membership.ts'

/* Effects of a change of members on settings and point links, in one network or in all networks of a router. */

/** Event of a member. `joins`: a new centre; `promoted`: a point becomes a centre. */
export type MemberEvent = 'joins' | 'promoted' | 'demoted' | 'leaves' | 'deleted' | 'disabled'

/**
 * Effect of the event on a setting. `drop`: removed with the member; `keep`: unchanged;
 * `confirm`: refused while the setting is in use, unless the caller confirms that it is turned off.
 */
type Outcome = 'confirm' | 'drop' | 'keep'
type Concern = Exclude<keyof NetworkSettings, 'prefix' | 'dns' | 'ip_pool'> | MemberSetting

const OF_CENTERS = {
  joins: 'keep',
  promoted: 'keep',
  demoted: 'drop',
  leaves: 'drop',
  deleted: 'drop',
  disabled: 'keep',
} as const
const OF_MEMBERS = { ...OF_CENTERS, demoted: 'keep' } as const
const CONFIRMED = {
  joins: 'confirm',
  promoted: 'confirm',
  demoted: 'confirm',
  leaves: 'confirm',
  deleted: 'confirm',
  disabled: 'confirm',
} as const

/** Outcome of each event for each setting that names a member or belongs to one. */
export const MEMBERS_CHANGE = {
  /** Main or backup router of type 2. */
  routing: { ...CONFIRMED, joins: 'keep', promoted: 'keep' },
  /** It connects exactly two centres, so a third one ends it like one that leaves. */
  center_link: CONFIRMED,
  point_link: { ...OF_CENTERS, promoted: 'drop' },
  gateway: OF_CENTERS,
  pool: OF_CENTERS,
  fixed_port: OF_CENTERS,
  default_route: OF_MEMBERS,
  quagga: OF_MEMBERS,
  ov: OF_MEMBERS,
  software_mode: OF_MEMBERS,
} as const satisfies Readonly<Record<Concern, Readonly<Record<MemberEvent, Outcome>>>>

export interface ChangedMember {
  readonly routerId: number
  readonly label: string
  readonly event: MemberEvent
  readonly isCenter: boolean
}

export type LinkedSettings = Pick<NetworkSettings, 'routing' | 'center_link'>

export interface ChangeConsequence {
  readonly refused: Violation | null
  /** Settings of the network with their new values. */
  readonly set: Partial<LinkedSettings>
  /** Settings that were in use and that the change turns off. */
  readonly ended: { readonly routing: LinkedSettings['routing'] | null; readonly centerLink: boolean }
}

/** Effect of a change of members on settings. Refused without confirmation if it would turn one off. */
export function consequenceOf(
  network: { readonly name: string },
  { routing, center_link: link }: LinkedSettings,
  changed: readonly ChangedMember[],
  isConfirmed: boolean,
): ChangeConsequence {
  const outcomes = (concern: 'routing' | 'center_link') =>
    changed.filter(({ event, isCenter }) => isCenter && MEMBERS_CHANGE[concern][event] !== 'keep')
  const named = outcomes('routing').filter(({ routerId }) => [routing.main, routing.secondary].includes(routerId))
  const ends = outcomes('center_link')
  const server = ends.find(({ routerId, event }) => routerId === link.server && event !== 'disabled')
  const isRoutingUsed = routing.type === 2 && named.length > 0
  const isLinkUsed = link.enable === 1 && ends.length > 0
  const refused =
    isConfirmed || !(isRoutingUsed || isLinkUsed)
      ? null
      : isRoutingUsed
        ? toRefusal('ROUTER_IN_ROUTING', named[0], network.name)
        : toRefusal(isThird(ends[0]) ? 'CENTER_LINK_HAS_TWO' : 'ROUTER_IN_CENTER_LINK', ends[0], network.name)
  return {
    refused,
    set: {
      ...(named.length > 0 && { routing: { type: 1, main: null, secondary: null } }),
      ...((isLinkUsed || server !== undefined) && {
        center_link: { ...link, enable: 0, ...(server !== undefined && { server: null, ports: NO_PORTS }) },
      }),
    },
    ended: { routing: isRoutingUsed ? routing : null, centerLink: isLinkUsed },
  }
}

const isThird = (member: ChangedMember | undefined): boolean =>
  member?.event === 'joins' || member?.event === 'promoted'

type InUse = 'ROUTER_IN_ROUTING' | 'ROUTER_IN_CENTER_LINK' | 'CENTER_LINK_HAS_TWO'
const toRefusal = (key: InUse, member: ChangedMember | undefined, network: string): Violation =>
  violation(key, { name: member?.label ?? '', network })

/** Events between two lists of members. A point that joins is no event: it affects no setting. */
export function changedMembers(before: readonly Member[], after: readonly Member[]): readonly ChangedMember[] {
  const { added, removed, promoted, demoted } = diffMembers(before, after)
  const toChanged = (event: MemberEvent, members: readonly Member[], isCenter?: true): readonly ChangedMember[] =>
    members.map((m) => ({
      routerId: m.routerId,
      label: labelOf(m),
      event,
      isCenter: isCenter ?? m.memberType === 'center',
    }))
  return [
    ...toChanged('leaves', removed),
    ...toChanged('demoted', demoted, true),
    ...toChanged('promoted', promoted),
    ...toChanged(
      'joins',
      added.filter(({ memberType }) => memberType === 'center'),
    ),
  ]
}

const MEMBER_KINDS = ['gateway', 'pool', 'fixed_port', 'default_route', 'quagga', 'ov', 'software_mode'] as const

export const droppedSettings = (event: MemberEvent): readonly MemberSetting[] =>
  MEMBER_KINDS.filter((kind) => MEMBERS_CHANGE[kind][event] === 'drop')

type LinkEnds = LinkSettings['pointLinks'][number]

export function lostLinks<L extends LinkEnds>(changed: readonly ChangedMember[], links: readonly L[]): readonly L[] {
  const losing = new Set(changed.filter(losesPointLinks).map(({ routerId }) => routerId))
  return links.filter(({ serverId, clientId }) => losing.has(serverId) || losing.has(clientId))
}

/** Members that lose a point link, at either end of it. */
export const findLinkEnds = (changed: readonly ChangedMember[], links: readonly LinkEnds[]): ReadonlySet<number> =>
  new Set(lostLinks(changed, links).flatMap(({ serverId, clientId }) => [serverId, clientId]))

/** Suffix of an audit row that names the settings turned off, in one network or several. */
export function endedText(ended: readonly { readonly routing: object | null; readonly centerLink: boolean }[]): string {
  const isRouting = ended.some(({ routing }) => routing !== null)
  const isLink = ended.some(({ centerLink }) => centerLink)
  return `${isRouting ? '，并关闭主备路由' : ''}${isLink ? '，并关闭双中心点互通' : ''}`
}

export const losesPointLinks = ({ event }: Pick<ChangedMember, 'event'>): boolean =>
  MEMBERS_CHANGE.point_link[event] === 'drop'

interface StoredSettings {
  readonly settings: readonly (SettingRow & { readonly networkId: number })[]
  readonly pointLinks: readonly (LinkEnds & { readonly networkId: number })[]
}

interface RouterInNetworks {
  readonly id: number
  readonly name: string
  readonly note: string
  readonly networks: readonly { readonly id: number; readonly name: string; readonly memberType: 'center' | 'point' }[]
}

const findSettings = ({ settings }: StoredSettings, networkId: number): LinkedSettings =>
  readNetworkSettings(settings.filter((row) => row.networkId === networkId)).values

/** The same event for some routers in one network. */
const toChanged = (
  routers: readonly RouterInNetworks[],
  networkId: number,
  event: 'deleted' | 'disabled',
): readonly ChangedMember[] =>
  routers.flatMap(({ id, name, note, networks }) =>
    networks
      .filter((network) => network.id === networkId)
      .map(({ memberType }) => ({ routerId: id, label: note || name, event, isCenter: memberType === 'center' })),
  )

/** Refuses a router that a setting in use needs, in any of its networks. */
export function checkUse(
  router: RouterInNetworks,
  stored: StoredSettings,
  event: 'deleted' | 'disabled',
): Violation | null {
  for (const network of router.networks) {
    const changed = toChanged([router], network.id, event)
    const { refused } = consequenceOf(network, findSettings(stored, network.id), changed, false)
    if (refused) return refused
  }
  return null
}

export interface NetworkConsequence extends Pick<ChangeConsequence, 'set'> {
  readonly networkId: number
  readonly ended: EndedSettings
}

/** Effects of a permitted deletion or disabling on each network of the routers. */
export function consequencesOf(
  routers: readonly RouterInNetworks[],
  stored: StoredSettings,
  event: 'deleted' | 'disabled',
): readonly NetworkConsequence[] {
  const networks = new Map(
    routers.flatMap((router) => router.networks.map((network) => [network.id, network] as const)),
  )
  return [...networks.values()].map((network) => {
    const changed = toChanged(routers, network.id, event)
    const { set, ended } = consequenceOf(network, findSettings(stored, network.id), changed, true)
    const links = stored.pointLinks.filter(({ networkId }) => networkId === network.id)
    return { networkId: network.id, set, ended: { ...ended, linkEnds: findLinkEnds(changed, links) } }
  })
}

interface Peer extends NamedMember {
  readonly networkId: number
}

/** History entries of these networks. `gone`: ids of members that leave with the event. */
export const toVersions = (
  networks: readonly { readonly id: number; readonly number: string }[],
  consequences: readonly NetworkConsequence[],
  peers: readonly Peer[],
  stored: StoredSettings,
  gone: ReadonlySet<number>,
) =>
  networks.map(({ id, number }) => {
    const before = peers.filter(({ networkId }) => networkId === id)
    const after = before.filter(({ routerId }) => !gone.has(routerId))
    const set = consequences.find(({ networkId }) => networkId === id)?.set ?? {}
    return { number, changes: toMembershipDiffs(before, after, findSettings(stored, id), set) }
  })

export const toSettingRows = (consequences: readonly NetworkConsequence[]) =>
  consequences.flatMap(({ networkId, set }) =>
    Object.entries(set).map(([setting, value]) => ({ networkId, setting, value })),
  )
