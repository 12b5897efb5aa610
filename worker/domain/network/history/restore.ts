import type { MemberSetting, MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import { NO_PORTS } from '#contract/network/fields.ts'
import { canonicalJson } from '../compile/compile.ts'
import { type RestoredValue, isMemberKind, isNetworkKind } from './history.ts'
import { type PointLink, isCenterLinkShown } from '../members/pair-links.ts'
import { SETTING_TITLE, type ShownSetting, type ShownSettings } from './setting-words.ts'
import { parseMemberSetting, parseNetworkSetting } from './stored-settings.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

interface Node {
  readonly routerId: number
  readonly routerType: number
  readonly memberType: 'center' | 'point'
  readonly createdAt: number
}
type Find = (routerId: number) => Node | undefined

/** The network as it is. */
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

/** Plans a restore: only values that differ from the present, and only for present members that can have them. */
export function planRestore(values: readonly RestoredValue[], present: Present): RestorePlan {
  const { members, areas, frId } = present
  const byId = new Map(members.map((member) => [member.routerId, member]))
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

  for (const restored of values.filter(differs)) {
    const { setting, routerId, value, at } = restored
    const find: Find = (id) => {
      const member = byId.get(id)
      return member && member.createdAt <= at ? member : undefined
    }
    if (setting === 'name' || setting === 'ciphers') columns[setting] = value
    else if (setting === 'fr') {
      const fr = value as ShownSettings['fr']
      if (fr.frId === frId) columns['mode'] = fr.mode
      else skip(setting, '资源已更换，请重新选择')
    } else if (setting === 'point_links') {
      const links = value as readonly PointLink[]
      const kept = links.filter((link) => [link.serverId, link.clientId].every((id) => canLink(find(id))))
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

const canLink = (member: Node | undefined): boolean => member?.memberType === 'point' && isHardware(member)

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

/** A setting of the network as it can be with the centres of now; a text says why it cannot. */
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
