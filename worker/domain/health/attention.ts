import {
  ATTENTION_KINDS,
  type AttentionKind,
  type AttentionRow,
  type NetworkHealth,
  type PathProblem,
} from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { ConfigState, ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import { CONFIG_WORD, LINK_WORD, SINGLE_CENTER_WORD, shownSince } from '#contract/kernel/states.ts'
import { type Overlap, HIDDEN_OWNER, overlapKey } from '#domain/network/addresses/overlap.ts'
import { type DeviceSettingKey, unsupportedText } from '#domain/network/compile/device-settings.ts'
import { type Term, daysUntil, isOver } from '#domain/network-fr/resource.ts'
import { isConfigTrouble, isPresent } from './member.ts'
import { type Quota, quotaLevel } from './quota.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/* Builds the list 需要关注 (attention): faults, suspended networks, ending terms and full quotas of an account. */

export interface AttentionMember {
  readonly routerName: string
  /** Note, or name. */
  readonly label: string
  readonly routerType: RouterType
  readonly presence: PresenceView
  readonly config: ConfigView
  readonly networks: readonly { readonly number: string; readonly memberType: 'center' | 'point' }[]
  /** Settings of its networks that the device does not support. */
  readonly unsupported: readonly DeviceSettingKey[]
}

export interface AttentionNetwork {
  readonly number: string
  readonly name: string
  readonly isSuspended: boolean
  /** Its configuration was removed from the devices, which does not take them offline. */
  readonly isWithdrawn: boolean
  readonly health: NetworkHealth
  readonly problems: readonly PathProblem[]
  readonly overlaps: readonly Overlap[]
  /** Its POP resource; null without one. */
  readonly pop: (Term & { readonly name: string }) | null
}

export interface AttentionFacts {
  readonly members: readonly AttentionMember[]
  readonly networks: readonly AttentionNetwork[]
  readonly services: readonly { readonly name: string; readonly expireAt: number }[]
  readonly quotas: readonly (Quota & { readonly name: string })[]
}

const BAD: ReadonlySet<AttentionKind> = new Set([
  'network_down',
  'network_suspended',
  'pop_expired',
  'center_offline',
  'member_offline',
  'link_down',
  'config_failed',
])

const CONFIG_KIND: Partial<Record<ConfigState, AttentionKind>> = {
  failed: 'config_failed',
  reverted: 'config_reverted',
  unsynced: 'config_unsynced',
}
const endsSoon = (expireAt: number, now: number): boolean =>
  expireAt > now && daysUntil(expireAt, now) <= HEALTH.serviceDays

/** Rows by severity, then age. Only causes are listed, each with the number of faults that it explains. */
export function listAttention(facts: AttentionFacts, now: number): readonly AttentionRow[] {
  const down = new Set(facts.networks.filter(({ health }) => health.state === 'down').map(({ number }) => number))
  const interrupted = new Set(facts.networks.filter((n) => down.has(n.number) && !n.isWithdrawn).map((n) => n.number))
  /** Offline, and in interrupted networks only. Their rows explain its absence, not its configuration or 抖动 (flapping). */
  const isExplained = ({ networks, presence }: AttentionMember) =>
    presence.state === 'offline' && networks.length > 0 && networks.every(({ number }) => interrupted.has(number))
  const hidden = facts.members.filter(isExplained)
  const known: AttentionLookups = {
    down,
    labels: new Map(facts.members.map((m) => [m.routerName, m.label])),
    opened: countOpened(facts.members),
  }
  const folded = hidden.filter((member) => memberRow(member, known) !== null)
  const rows = [
    ...facts.networks.flatMap((network) => networkRows(network, folded, known)),
    ...facts.members.filter((member) => !isExplained(member)).flatMap((member) => memberRow(member, known) ?? []),
    ...distinctOverlaps(facts.networks),
    ...facts.networks.flatMap((network) => popRow(network, now)),
    ...facts.services.filter(({ expireAt }) => endsSoon(expireAt, now)).map((s) => serviceRow(s, now)),
    ...facts.quotas.filter((quota) => quota.total > 0 && quotaLevel(quota) === 'bad').map(quotaRow),
  ]
  return rows.toSorted((a, b) => rank(a) - rank(b) || ageOf(a) - ageOf(b) || (a.name < b.name ? -1 : 1))
}

/** Keeps the first rows of all and the first of each kind, so that no kind hides another. */
export function limitRows(rows: readonly AttentionRow[]): readonly AttentionRow[] {
  const ofKind = new Map<AttentionKind, number>()
  return rows.filter(({ kind }, index) => {
    const before = ofKind.get(kind) ?? 0
    ofKind.set(kind, before + 1)
    return index < HEALTH.rowsShown || before < HEALTH.rowsOfKind
  })
}

interface AttentionLookups {
  readonly down: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, string>
  /** Number of devices that ever came online, by network number and role. */
  readonly opened: ReadonlyMap<string, number>
}

function countOpened(members: readonly AttentionMember[]): ReadonlyMap<string, number> {
  const opened = new Map<string, number>()
  for (const { routerType, presence, networks } of members) {
    if (routerType !== ROUTER_TYPE.hardware || presence.state === 'never') continue
    for (const { number, memberType } of networks) {
      const key = `${memberType} ${number}`
      opened.set(key, (opened.get(key) ?? 0) + 1)
    }
  }
  return opened
}

const rank = ({ kind }: AttentionRow): number => ATTENTION_KINDS.indexOf(kind)
const ageOf = ({ since, until }: AttentionRow): number => since ?? until ?? Number.MAX_SAFE_INTEGER

type Target = Partial<AttentionRow['target']> & Pick<AttentionRow['target'], 'type'>
type Facts = Pick<AttentionRow, 'name' | 'cause'> & Partial<Pick<AttentionRow, 'since' | 'until' | 'folded'>>

const row = (kind: AttentionKind, target: Target, facts: Facts): AttentionRow => ({
  kind,
  level: BAD.has(kind) ? 'bad' : 'warn',
  target: { network_number: null, router_name: null, center_router_name: null, ...target },
  since: null,
  until: null,
  folded: 0,
  ...facts,
})

function networkRows(
  { number, name, isSuspended, isWithdrawn, health, problems }: AttentionNetwork,
  folded: readonly AttentionMember[],
  known: AttentionLookups,
): readonly AttentionRow[] {
  const target = { type: 'network', network_number: number } as const
  const inside = folded.filter(({ networks }) => networks.some((network) => network.number === number)).length
  const down = row('network_down', target, { name, cause: health.cause, since: health.since, folded: inside })
  const suspended = row('network_suspended', target, { name, cause: '成员配额不足，组网已停用' })
  return [
    ...(health.state === 'down' ? [down] : problems.map((problem) => pathRow(number, problem, known))),
    ...(isSuspended && !isWithdrawn ? [suspended] : []), // the `down` row of a withdrawn network says it
  ]
}

function pathRow(number: string, problem: PathProblem, { labels }: AttentionLookups): AttentionRow {
  const { kind, routerName, centerRouterName, since } = problem
  const labelOf = (name: string) => labels.get(name) ?? name
  const target = {
    type: 'link',
    network_number: number,
    router_name: routerName,
    center_router_name: centerRouterName,
  } as const
  const facts = { name: labelOf(routerName), since, folded: kind !== 'single_center' && problem.isSingleCenter ? 1 : 0 }
  const center = labelOf(centerRouterName)
  if (kind === 'single_center')
    return row(kind, target, { ...facts, cause: `中心点“${center}”已停用，仅剩 1 个中心点` })
  const state = LINK_WORD[kind === 'link_down' ? 'down' : 'one_sided']
  const consequence = problem.isSingleCenter ? `，${SINGLE_CENTER_WORD}` : ''
  return row(kind, target, { ...facts, cause: `到“${center}”的链路${state}：${problem.reason}${consequence}` })
}

/** At most one row: offline before configuration, and an unsupported setting before the failure that it causes. */
function memberRow(member: AttentionMember, known: AttentionLookups): AttentionRow | null {
  const { routerName, label, routerType, presence, config, networks, unsupported } = member
  const target = { type: 'router', router_name: routerName } as const
  const facts = { name: label, since: presence.since }
  const isHardware = routerType === ROUTER_TYPE.hardware
  if (presence.state === 'flapping')
    return row('member_flapping', target, { ...facts, cause: withReason('状态抖动', presence.reason) })
  if (!isHardware) return null
  if (presence.state === 'unreadable') return row('member_unreadable', target, { ...facts, cause: presence.reason })
  if (presence.state === 'offline') {
    const alive = networks.filter(({ number }) => !known.down.has(number))
    const isCenter = alive.some(({ memberType }) => memberType === 'center')
    const consequences = alive.reduce((sum, network) => sum + countLinks(network, known), 0)
    const kind = isCenter ? 'center_offline' : 'member_offline'
    const cause = withReason(isCenter ? '中心点离线' : '设备离线', presence.reason)
    return row(kind, target, { ...facts, since: shownSince(presence), cause, folded: consequences })
  }
  if (unsupported.length > 0 && isPresent(presence.state)) {
    const since = isConfigTrouble(config.state) ? config.at : null
    return row('setting_unsupported', target, { name: label, since, cause: unsupportedText(unsupported) })
  }
  const kind = isConfigTrouble(config.state) ? CONFIG_KIND[config.state] : undefined
  return kind === undefined
    ? null
    : row(kind, target, {
        name: label,
        since: config.at,
        cause: withReason(`配置${CONFIG_WORD[config.state]}`, config.reason),
      })
}

const withReason = (what: string, reason: string): string => (reason === '' ? what : `${what}：${reason}`)

/** Number of a device's links in one network: to points that ever came online, or to centres. */
const countLinks = (
  { number, memberType }: AttentionMember['networks'][number],
  { opened }: AttentionLookups,
): number => opened.get(`${memberType === 'center' ? 'point' : 'center'} ${number}`) ?? 0

/** One row per pair of segments, even if they overlap in several networks. */
function distinctOverlaps(networks: readonly AttentionNetwork[]): readonly AttentionRow[] {
  const found = networks.flatMap(({ number, overlaps }) => overlaps.map((o) => ({ number, o })))
  const distinct = new Map(found.toReversed().map((one) => [overlapKey(one.o), one]))
  return [...distinct.values()].map(({ number, o }) => {
    const other = o.b === HIDDEN_OWNER ? o.b : `${o.b}（${o.segment_b}）`
    const target = { type: 'network', network_number: number } as const
    return row('overlap', target, { name: `${o.a} ↔ ${o.b}`, cause: `网段重叠：${o.a}（${o.segment_a}）与${other}` })
  })
}

function popRow({ number, name, pop }: AttentionNetwork, now: number): readonly AttentionRow[] {
  if (pop === null) return []
  const target = { type: 'network', network_number: number } as const
  if (isOver(pop, now))
    return [
      row('pop_expired', target, {
        name,
        cause: `POP资源“${pop.name}”已过期`,
        since: pop.expireAt <= now ? pop.expireAt : null,
      }),
    ]
  if (!endsSoon(pop.expireAt, now)) return []
  const cause = `POP资源“${pop.name}”${endingText(pop.expireAt, now)}`
  return [row('pop_ending', target, { name, cause, until: pop.expireAt })]
}

const endingText = (at: number, now: number): string => `还有 ${daysUntil(at, now)} 天到期`

const serviceRow = ({ name, expireAt }: AttentionFacts['services'][number], now: number): AttentionRow =>
  row('service_ending', { type: 'service' }, { name, cause: endingText(expireAt, now), until: expireAt })

const quotaRow = ({ name, used, total }: AttentionFacts['quotas'][number]): AttentionRow =>
  row('quota_full', { type: 'quota' }, { name, cause: `已使用 ${used} / ${total}` })
