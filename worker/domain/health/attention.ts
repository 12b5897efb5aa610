import { ATTENTION_KINDS, type AttentionKind, type AttentionRow, type PathProblem } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { ConfigState } from '#contract/kernel/protocol.ts'
import { CONFIG_WORD, LINK_WORD, SINGLE_CENTER_WORD, shownSince } from '#contract/kernel/states.ts'
import { HIDDEN_OWNER, overlapKey } from '#domain/network/addresses/overlap.ts'
import { unsupportedText } from '#domain/network/compile/device-settings.ts'
import { daysUntil, isOver } from '#domain/network-fr/resource.ts'
import { explainAbsences, listHalved, outageText, toConsequences, withConsequences } from './absence.ts'
import { type AttentionMember, type AttentionNetwork, isHardware, row, withReason } from './attention-facts.ts'
import { POP_AWAY } from './link.ts'
import { type InboxFacts, inboxRows } from './inbox.ts'
import { isConfigTrouble, isPresent } from './member.ts'
import { type Quota, quotaLevel } from './quota.ts'
import { withdrawalText } from './suspension.ts'
import { explainSuspicions } from './suspicion.ts'

/* Builds the list 需要关注 (attention): faults, suspended networks, ending terms and full quotas of an account. */

export interface AttentionFacts {
  readonly members: readonly AttentionMember[]
  readonly networks: readonly AttentionNetwork[]
  readonly services: readonly { readonly name: string; readonly expireAt: number }[]
  readonly quotas: readonly (Quota & { readonly name: string })[]
  readonly inbox: InboxFacts
}

const CONFIG_KIND: Partial<Record<ConfigState, AttentionKind>> = {
  failed: 'config_failed',
  reverted: 'config_reverted',
  unsynced: 'config_unsynced',
}
const endsSoon = (expireAt: number, now: number): boolean =>
  expireAt > now && daysUntil(expireAt, now) <= HEALTH.serviceDays

/** Rows by severity, then age. Only causes are listed, each with the number of faults that it explains. */
export function listAttention(facts: AttentionFacts, now: number): readonly AttentionRow[] {
  const { members, networks } = facts
  const absences = explainAbsences(members, networks)
  const labelOf = createLabels(facts)
  const suspicions = explainSuspicions(members, networks, labelOf, now)
  const known: AttentionLookups = {
    networks,
    labelOf,
    opened: countOpened(members),
    problems: suspicions.problems,
    named: absences.named,
  }
  const rows = [
    ...absences.rows,
    ...suspicions.rows,
    ...networks.flatMap((network) => networkRows(network, known)),
    ...distinctPops(networks, labelOf),
    ...members
      .filter(({ routerName }) => !absences.hidden.has(routerName) && !suspicions.hidden.has(routerName))
      .flatMap((member) => memberRow(member, known) ?? []),
    ...distinctOverlaps(facts.networks),
    ...facts.networks.flatMap((network) => popRow(network, now)),
    ...facts.services.filter(({ expireAt }) => endsSoon(expireAt, now)).map((s) => serviceRow(s, now)),
    ...inboxRows(facts.inbox, now),
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
  readonly networks: readonly AttentionNetwork[]
  readonly labelOf: (name: string) => string
  /** Number of devices that ever came online, by network number and role. */
  readonly opened: ReadonlyMap<string, number>
  /** Problems of links with rows of their own, by network number. */
  readonly problems: ReadonlyMap<string, readonly PathProblem[]>
  /** Interrupted networks that the row of their cause names. */
  readonly named: ReadonlySet<string>
}

/** Labels of members and POP nodes. Customers know no nodes, only their areas. */
export function createLabels({
  members,
  networks,
}: Pick<AttentionFacts, 'members' | 'networks'>): (name: string) => string {
  const nodes = networks.flatMap(({ areas }) => [...areas].map(([node, area]) => [node, `POP节点（${area}）`] as const))
  const labels = new Map([...nodes, ...members.map((m) => [m.routerName, m.label] as const)])
  return (name) => labels.get(name) ?? name
}

function countOpened(members: readonly AttentionMember[]): ReadonlyMap<string, number> {
  const opened = new Map<string, number>()
  for (const { routerType, presence, networks } of members) {
    if (!isHardware({ routerType }) || presence.state === 'never') continue
    for (const { number, memberType } of networks) {
      const key = `${memberType} ${number}`
      opened.set(key, (opened.get(key) ?? 0) + 1)
    }
  }
  return opened
}

const rank = ({ kind }: AttentionRow): number => ATTENTION_KINDS.indexOf(kind)
const ageOf = ({ since, until }: AttentionRow): number => since ?? until ?? Number.MAX_SAFE_INTEGER

function networkRows(network: AttentionNetwork, known: AttentionLookups): readonly AttentionRow[] {
  const { number, name, isSuspended, isWithdrawn, health } = network
  const target = { type: 'network', network_number: number } as const
  const down = row('network_down', target, { name, cause: health.cause, since: health.since })
  const suspended = row('network_suspended', target, {
    name,
    cause: `成员配额不足，组网已停用，${withdrawalText(network)}`,
    since: network.suspendedAt,
  })
  const problems = known.problems.get(number) ?? []
  return [
    ...(health.state !== 'down' || (isSuspended && isWithdrawn) || known.named.has(number) ? [] : [down]),
    ...problems.map((problem) => pathRow(number, problem, known)),
    ...(isSuspended ? [suspended] : []),
  ]
}

/** One row for a POP node that is offline, however many networks it carries. */
function distinctPops(
  networks: readonly AttentionNetwork[],
  labelOf: (name: string) => string,
): readonly AttentionRow[] {
  const found = networks.flatMap((network) =>
    (network.pops ?? []).filter(({ reason }) => reason === POP_AWAY).map((pop) => ({ network, pop })),
  )
  return [...Map.groupBy(found, ({ pop }) => pop.node)].map(([node, own]) => {
    const members = own.reduce((sum, { pop }) => sum + pop.members, 0)
    const [{ network } = { network: null }] = own
    const which = own.length === 1 ? network?.name : `${own.length} 个组网`
    const times = own.flatMap(({ pop }) => pop.since ?? [])
    return row(
      'pop_offline',
      { type: 'network', network_number: network?.number ?? '' },
      {
        name: labelOf(node),
        object: `${network?.number ?? ''}/${labelOf(node)}`,
        since: times.length === 0 ? null : Math.min(...times),
        cause: withConsequences('离线', `${which}的POP接入中断（${members} 个成员）`),
      },
    )
  })
}

function pathRow(number: string, problem: PathProblem, { labelOf }: AttentionLookups): AttentionRow {
  const { kind, routerName, centerRouterName, since } = problem
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
  const { routerName, label, presence, config, unsupported } = member
  const target = { type: 'router', router_name: routerName } as const
  const facts = { name: label, since: presence.since }
  if (presence.state === 'flapping')
    return row('member_flapping', target, { ...facts, cause: withReason('状态抖动', presence.reason) })
  if (!isHardware(member)) return null
  if (presence.state === 'unreadable') return row('member_unreadable', target, { ...facts, cause: presence.reason })
  if (presence.state === 'offline') return absentRow(member, known)
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

function absentRow(member: AttentionMember, known: AttentionLookups): AttentionRow {
  const { routerName, label, presence, networks } = member
  const down = new Set(known.networks.filter(({ health }) => health.state === 'down').map(({ number }) => number))
  const alive = networks.filter(({ number }) => !down.has(number))
  const isCenter = alive.some(({ memberType }) => memberType === 'center')
  const loss = outageText(toConsequences([], listHalved([member], known.networks)))
  const cause = withReason(isCenter ? '中心点离线' : '设备离线', presence.reason)
  return row(
    isCenter ? 'center_offline' : 'member_offline',
    { type: 'router', router_name: routerName },
    {
      name: label,
      since: shownSince(presence),
      cause: loss === '' ? cause : withConsequences('离线', loss),
      folded: loss === '' ? alive.reduce((sum, network) => sum + countLinks(network, known), 0) : 0,
    },
  )
}

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
    const name = `${o.a} ↔ ${o.b}`
    return row('overlap', target, {
      name,
      object: overlapKey(o),
      cause: `网段重叠：${o.a}（${o.segment_a}）与${other}`,
    })
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
  row(
    'service_ending',
    { type: 'service' },
    { name, object: `${name} ${expireAt}`, cause: endingText(expireAt, now), until: expireAt },
  )

const quotaRow = ({ name, used, total }: AttentionFacts['quotas'][number]): AttentionRow =>
  row('quota_full', { type: 'quota' }, { name, object: name, cause: `已使用 ${used} / ${total}` })
