import {
  MEMBER_SETTINGS,
  type MemberSetting,
  type MemberSettings,
  NETWORK_SETTINGS,
  type NetworkSetting,
  type NetworkSettings,
} from '#contract/network/settings.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { changes } from '#contract/network/changes.ts'
import { NO_PORTS } from '#contract/network/fields.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { canonicalJson } from '../compile/compile.ts'
import type { LinkedSettings } from '../members/change.ts'
import { labelOf } from '../members/member-name.ts'
import { type Role, diffMembers } from '../members/membership.ts'
import { type PointLink, canLink, isCenterLinkShown } from '../members/pair-links.ts'
import { type MemberUids, type PresentMember, createPresentIds } from './named-members.ts'
import { SETTING_TITLE, type ShownSetting, type ShownSettings, type WordNames, changeWords } from './setting-words.ts'
import { parseMemberSetting, parseNetworkSetting } from './stored-settings.ts'

/* Version history of a network's settings: differences in words, and the plan of a restore. */

/** A version's difference in one setting, or in one of several members. */
export interface SettingDiff {
  readonly setting: ShownSetting | 'members'
  /** Member that has the setting; null for the network. */
  readonly router_id: number | null
  readonly before: unknown
  readonly after: unknown
  /** Set where it is stored. */
  readonly uids?: MemberUids
  /** Words with names of that time. For several members only the first entry has them. */
  readonly words?: DiffWords
}

export type DiffWords = Readonly<Output<typeof changes.versions>[number]['changes'][number]>

export interface Version {
  readonly version: number
  readonly at: number
  readonly changes: readonly SettingDiff[]
}

/** Old and new value of one setting: of the network, or of one member. */
export interface ChangedValue<K extends ShownSetting> {
  readonly routerId: number | null
  readonly before: ShownSettings[K]
  readonly after: ShownSettings[K]
}

export function toDiffs<K extends ShownSetting>(
  setting: K,
  values: readonly ChangedValue<K>[],
  names: WordNames,
): readonly SettingDiff[] {
  return values.map(({ routerId, before, after }, i) => ({
    setting,
    router_id: routerId,
    before,
    after,
    ...(i === 0 && { words: toWords(setting, values, names) }),
  }))
}

function toWords<K extends ShownSetting>(setting: K, values: readonly ChangedValue<K>[], names: WordNames): DiffWords {
  const title = SETTING_TITLE[setting]
  const texts = values.map(({ before, after }) => changeWords(setting, before, after, names))
  const [first] = texts
  const [{ routerId } = { routerId: null }] = values
  if (first && values.length === 1)
    return { title: routerId === null ? title : `${names.member(routerId)} · ${title}`, ...first }
  const all = (side: 'old' | 'new') => {
    const different = [...new Set(texts.map((text) => text[side]))]
    return different.length === 1 ? (different[0] ?? '') : `${different.length} 种值`
  }
  return { title: `${title}（${values.length} 个成员）`, old: all('old'), new: all('new') }
}

const NAMED_MAX = 10

export type NamedMember = Role & Parameters<typeof labelOf>[0]

const namesText = (verb: string, members: readonly NamedMember[]): readonly string[] =>
  members.length === 0
    ? []
    : [
        `${verb} ${members.slice(0, NAMED_MAX).map(labelOf).join('、')}${members.length > NAMED_MAX ? ` 等 ${members.length} 个` : ''}`,
      ]

/** Changes of members and roles; null without any. Shown only: a restore does not change members. */
export function toMembersDiff(before: readonly NamedMember[], after: readonly NamedMember[]): SettingDiff | null {
  const { added, removed, promoted, demoted } = diffMembers(before, after)
  const words = [
    ...namesText('新增', added),
    ...namesText('移除', removed),
    ...namesText('改为中心点', promoted),
    ...namesText('改为普通点', demoted),
  ]
  if (words.length === 0) return null
  const change = { title: '成员', old: `${before.length} 个`, new: `${after.length} 个：${words.join('；')}` }
  return { setting: 'members', router_id: null, before: null, after: null, words: change }
}

export const toReplacedDiff = (name: string, serial: string): SettingDiff => ({
  setting: 'members',
  router_id: null,
  before: null,
  after: null,
  words: { title: '更换设备', old: name, new: serial },
})

/** Changes of members, and settings that these turned off. `links`: point links, when some are removed. */
export function toMembershipDiffs(
  before: readonly NamedMember[],
  after: readonly NamedMember[],
  settings: LinkedSettings,
  { routing, center_link: link }: Partial<LinkedSettings>,
  links: { readonly before: readonly PointLink[]; readonly after: readonly PointLink[] } | null = null,
): readonly SettingDiff[] {
  const names = toWordNames({ members: [...before, ...after], areas: [] })
  const members = toMembersDiff(before, after)
  return [
    ...(members ? [members] : []),
    ...(routing ? toDiffs('routing', [{ routerId: null, before: settings.routing, after: routing }], names) : []),
    ...(link ? toDiffs('center_link', [{ routerId: null, before: settings.center_link, after: link }], names) : []),
    ...(links ? toDiffs('point_links', [{ routerId: null, ...links }], names) : []),
  ]
}

interface Words {
  readonly members: readonly { readonly routerId: number; readonly routerName: string; readonly note: string }[]
  readonly areas: readonly { readonly id: number; readonly name: string }[]
}

/** Names at the time of a version. */
export const toWordNames = ({ members, areas }: Words): WordNames => ({
  member: (id) => {
    const found = members.find(({ routerId }) => routerId === id)
    return found ? labelOf(found) : '已移出的成员'
  },
  area: (id) => areas.find((area) => area.id === id)?.name ?? '已取消的区域',
})

interface RestoredValue {
  readonly setting: ShownSetting
  readonly routerId: number | null
  readonly value: unknown
  /** Time of the change that replaced it. */
  readonly at: number
  readonly uids?: MemberUids | undefined
}

/** Settings as of a version: each setting that changed later has the value before its first later change. */
export function valuesAt(versions: readonly Version[], version: number): readonly RestoredValue[] {
  const later = versions.filter((one) => one.version > version).toSorted((a, b) => a.version - b.version)
  const first = new Map<string, RestoredValue>()
  for (const { at, changes } of later) {
    for (const { setting, router_id: routerId, before, uids } of changes) {
      if (setting === 'members') continue
      const key = `${setting} ${routerId === null ? '' : (uids?.[routerId] ?? routerId)}`
      if (!first.has(key)) first.set(key, { setting, routerId, value: before, at, uids })
    }
  }
  return [...first.values()]
}

const isNetworkKind = (setting: string): setting is Exclude<NetworkSetting, 'point_link'> =>
  setting !== 'point_link' && Object.hasOwn(NETWORK_SETTINGS, setting)
const isMemberKind = (setting: string): setting is MemberSetting => Object.hasOwn(MEMBER_SETTINGS, setting)

interface Node extends PresentMember {
  readonly routerType: number
  readonly memberType: 'center' | 'point'
}
type Find = (routerId: number) => Node | undefined

interface Present {
  readonly networkType: number
  readonly frId: number | null
  readonly members: readonly Node[]
  readonly areas: readonly { readonly id: number }[]
  readonly valueOf: (setting: ShownSetting, routerId: number | null) => unknown
}

export interface RestorePlan {
  readonly columns: Partial<Pick<ShownSettings, 'name' | 'ciphers'>> & { readonly mode?: number }
  readonly network: Partial<Omit<NetworkSettings, 'point_link'>>
  readonly members: { readonly [K in MemberSetting]?: readonly { routerId: number; value: MemberSettings[K] }[] }
  readonly pointLinks: readonly PointLink[] | null
  /** Sentences about settings that cannot be restored. */
  readonly skipped: readonly string[]
}

const isCenter = (member: Node | undefined): boolean => member?.memberType === 'center'
const isHardware = (member: Node): boolean => member.routerType === ROUTER_TYPE.hardware

/** True for members that can have the setting. */
const FITS: Readonly<Record<MemberSetting, (member: Node) => boolean>> = {
  gateway: isCenter,
  pool: isCenter,
  fixed_port: isCenter,
  default_route: isHardware,
  quagga: isHardware,
  ov: () => true,
  software_mode: (member) => !isHardware(member),
}

/** Point link of a version; an earlier release stored no port of its client end. */
type StoredLink = Omit<PointLink, 'clientPort'> & Partial<Pick<PointLink, 'clientPort'>>

/** Links of a version without the port of the client end keep that of the present link. */
function withClientPorts(links: readonly StoredLink[], present: unknown): readonly PointLink[] {
  const known = (present ?? []) as readonly PointLink[]
  return links.map((link) => {
    const now = known.find(({ serverId, clientId }) => serverId === link.serverId && clientId === link.clientId)
    return { ...link, clientPort: link.clientPort ?? now?.clientPort ?? null }
  })
}

/** Plans a restore: only values that differ from the present, and only for present members that can have them. */
export function planRestore(values: readonly RestoredValue[], present: Present): RestorePlan {
  const { members, areas, frId } = present
  const byId = new Map(members.map((member) => [member.routerId, member]))
  const find: Find = (id) => byId.get(id)
  const skipped = new Map<string, number>()
  const skip = (setting: ShownSetting, why: string) => {
    const text = `${SETTING_TITLE[setting]}：${why}`
    skipped.set(text, (skipped.get(text) ?? 0) + 1)
  }
  const columns: Record<string, unknown> = {}
  const network: Record<string, unknown> = {}
  const ofMembers: { setting: MemberSetting; routerId: number; value: unknown }[] = []
  let pointLinks: readonly PointLink[] | null = null
  const differs = ({ setting, routerId, value }: RestoredValue) =>
    canonicalJson(present.valueOf(setting, routerId)) !== canonicalJson(value)

  for (const restored of values.map(createPresentIds(members)).filter(differs)) {
    const { setting, routerId, value } = restored
    if (setting === 'name' || setting === 'ciphers') columns[setting] = value
    else if (setting === 'fr') {
      const fr = value as ShownSettings['fr']
      if (fr.frId === frId) columns['mode'] = fr.mode
      else skip(setting, '资源已更换，请重新选择')
    } else if (setting === 'point_links') {
      const links = withClientPorts(value as readonly StoredLink[], present.valueOf(setting, null))
      const kept = links.filter((link) => [link.serverId, link.clientId].every((id) => isLinkable(find(id))))
      if (kept.length < links.length) skip(setting, '成员已不在组网或已是中心点')
      if (differs({ ...restored, value: kept })) pointLinks = kept
    } else if (isNetworkKind(setting)) {
      const fitted = fitNetwork(setting, parseNetworkSetting(setting, value), present, find)
      if (typeof fitted === 'string') skip(setting, fitted)
      else if (differs({ ...restored, value: fitted })) network[setting] = fitted
    } else if (isMemberKind(setting) && routerId !== null) {
      const next = parseMemberSetting(setting, value)
      const why = whyNotFor(find(routerId), setting, next, areas)
      if (why !== null) skip(setting, why)
      else ofMembers.push({ setting, routerId, value: next })
    }
  }
  return {
    columns,
    network,
    members: groupByKind(ofMembers),
    pointLinks,
    skipped: [...skipped].map(([text, count]) => (count === 1 ? text : `${text}（${count} 个）`)),
  }
}

function groupByKind(rows: readonly { setting: MemberSetting; routerId: number; value: unknown }[]) {
  const byKind = new Map<MemberSetting, { routerId: number; value: unknown }[]>()
  for (const { setting, ...row } of rows) byKind.set(setting, [...(byKind.get(setting) ?? []), row])
  return Object.fromEntries(byKind) as RestorePlan['members']
}

const isLinkable = (member: Node | undefined): boolean => member !== undefined && canLink(member)

/** Reason for which a member can no longer have the setting; null if it can. */
function whyNotFor(
  member: Node | undefined,
  setting: MemberSetting,
  value: MemberSettings[MemberSetting],
  areas: Present['areas'],
): string | null {
  if (!member) return '成员已不在组网'
  if (!FITS[setting](member)) return '成员的角色已改变'
  return setting === 'ov' && !isAreaKnown(value as MemberSettings['ov'], areas) ? '区域已不存在' : null
}

const isAreaKnown = ({ main, backup }: MemberSettings['ov'], areas: Present['areas']): boolean =>
  [main, backup].every((id) => id === null || areas.some((area) => area.id === id))

/** Fits a setting of the network to the present centres; a text is the reason if that is impossible. */
function fitNetwork(
  setting: Exclude<keyof NetworkSettings, 'point_link'>,
  value: NetworkSettings[keyof NetworkSettings],
  { networkType, members }: Present,
  find: Find,
): unknown {
  if (setting === 'routing') {
    const { type, main, secondary } = value as NetworkSettings['routing']
    const isPossible = type === 1 || [main, secondary].every((id) => isCenter(find(id ?? 0)))
    return isPossible ? value : '主路由或备路由已不是该组网的中心点'
  }
  if (setting !== 'center_link') return value
  const link = value as NetworkSettings['center_link']
  if (link.enable === 1 && !isCenterLinkShown(networkType, members)) return '组网已不是恰好两个中心点'
  if (link.server === null || isCenter(find(link.server))) return link
  return link.enable === 1 ? '服务端已不是该组网的中心点' : { ...link, server: null, ports: NO_PORTS }
}

export const isEmptyPlan = ({ columns, network, members, pointLinks }: RestorePlan): boolean =>
  [columns, network, members].every((part) => Object.keys(part).length === 0) && pointLinks === null
