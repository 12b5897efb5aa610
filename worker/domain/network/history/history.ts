import type { MemberSetting, NetworkSetting } from '#contract/network/settings.ts'
import type { LinkedSettings } from '../members/change.ts'
import { labelOf } from '../members/member-name.ts'
import { type Role, diffMembers } from '../members/membership.ts'
import type { PointLink } from '../members/pair-links.ts'
import { SETTING_TITLE, type ShownSetting, type ShownSettings, type WordNames, changeWords } from './setting-words.ts'

/** A version's difference in one setting, or in one of several members. */
export interface SettingDiff {
  readonly setting: ShownSetting | 'members'
  /** Of one member; null of the network. */
  readonly router_id: number | null
  readonly before: unknown
  readonly after: unknown
  /** Of that time; of several members at the first. */
  readonly words?: DiffWords
}

export interface DiffWords {
  readonly title: string
  readonly old: string
  readonly new: string
}

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

/** The differences of one setting. */
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

/** A member as words name it. */
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

/** Another device in a member's place, to be read only. */
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

/** Names as they are when a version is made. */
export const toWordNames = ({ members, areas }: Words): WordNames => ({
  member: (id) => {
    const found = members.find(({ routerId }) => routerId === id)
    return found ? labelOf(found) : '已移出的成员'
  },
  area: (id) => areas.find((area) => area.id === id)?.name ?? '已取消的区域',
})

/** A value that a restore sets. */
export interface RestoredValue {
  readonly setting: ShownSetting
  readonly routerId: number | null
  readonly value: unknown
  /** It was set by then: a router that was created later is another one, ids come again. */
  readonly at: number
}

/** Settings as of a version: each setting that changed later has the value before its first later change. */
export function valuesAt(versions: readonly Version[], version: number): readonly RestoredValue[] {
  const later = versions.filter((one) => one.version > version).toSorted((a, b) => a.version - b.version)
  const first = new Map<string, RestoredValue>()
  for (const { at, changes } of later) {
    for (const { setting, router_id: routerId, before } of changes) {
      if (setting === 'members') continue
      const key = `${setting} ${routerId}`
      if (!first.has(key)) first.set(key, { setting, routerId, value: before, at })
    }
  }
  return [...first.values()]
}

const NETWORK_KINDS: readonly string[] = [
  'center_link',
  'routing',
  'prefix',
  'dns',
  'ip_pool',
] satisfies NetworkSetting[]
const MEMBER_KINDS: readonly string[] = [
  'gateway',
  'pool',
  'fixed_port',
  'default_route',
  'quagga',
  'ov',
  'software_mode',
] satisfies MemberSetting[]

export const isNetworkKind = (setting: string): setting is Exclude<NetworkSetting, 'point_link'> =>
  NETWORK_KINDS.includes(setting)
export const isMemberKind = (setting: string): setting is MemberSetting => MEMBER_KINDS.includes(setting)
