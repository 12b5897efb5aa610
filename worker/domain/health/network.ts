import type { NetworkHealth, NetworkSummary, PathProblem, PopProblem } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { LinkView, MemberView } from '#contract/kernel/protocol.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { earliest } from '#contract/kernel/time.ts'
import { groupByName } from './explain.ts'
import { POP_AWAY, countLinks, countOpened, isMostlyUnknown } from './link.ts'
import { type LinkCauses, explainLinks, listSuspicions } from './link-causes.ts'
import { countStates, isConfigTrouble, isPresent, isTrouble } from './member.ts'
import { findPaths } from './paths.ts'
import { isRefused } from '#domain/router/refused-networks.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Health of one network: its state and causes, faulty links, POP problems, and the members affected. */

type Member = Pick<MemberView, 'router_name' | 'router_type' | 'member_type' | 'presence' | 'config'> & {
  /** Public address that it may share with others; missing from the row of a hub of the release before. */
  readonly site?: string | null
}
/** A POP node: a device of the operator, which does not count as a member. */
type Node = Omit<Member, 'member_type'> & {
  readonly member_type: 'pop'
  /** Name of its area, by which customers know it; missing from the row of a hub of the release before. */
  readonly area?: string
}
const isMember = (one: Member | Node): one is Member => one.member_type !== 'pop'
type Link = Pick<LinkView, 'router_name' | 'center_router_name' | 'kind' | 'state' | 'reason' | 'since'>

/** Names of the members that a network's health figures count. */
export interface Affected {
  /** Members in trouble or suspected, and the point's end of each faulty link that no absent or suspected object explains. */
  readonly abnormal: ReadonlySet<string>
  readonly singleCenter: ReadonlySet<string>
  /** Online members that their peers do not reach. */
  readonly suspected: ReadonlySet<string>
}

export const linkKey = (link: Pick<LinkView, 'router_name' | 'center_router_name'>): string =>
  `${link.router_name} ${link.center_router_name}`

export interface NetworkEvaluation extends Required<NetworkSummary> {
  readonly affected: Affected
  /** Problem of each faulty link. A link with an absent end is not faulty. */
  readonly faultyLinks: ReadonlyMap<string, PathProblem['kind']>
}

interface NetworkFacts {
  /** Suspended for so long that its configuration was removed from all devices; it has no links. */
  readonly isWithdrawn?: boolean
  /** Its members prefer POP nodes to centres. */
  readonly isPopFirst?: boolean
}

/** Evaluates causes first: an absent centre explains its links, an interrupted network all of its points. */
export function evaluateNetwork(
  all: readonly (Member | Node)[],
  links: readonly Link[],
  { isWithdrawn = false, isPopFirst = false }: NetworkFacts = {},
): NetworkEvaluation {
  const byName = new Map(all.map((one) => [one.router_name, one]))
  const members = all.filter(isMember)
  const paths = findPaths(links, (name) => byName.get(name)?.presence.state)
  const singleCenter = new Set([...paths].filter(([, own]) => own.single_center === 1).map(([name]) => name))
  const inTrouble = members.filter((m) => isTrouble(m.router_type, m.presence.state, m.config.state))
  const problems = findPathProblems(links, byName, singleCenter)
  const explained = explainPaths(problems, links, byName)
  const faultyLinks = new Map(
    problems.map((p) => [linkKey({ router_name: p.routerName, center_router_name: p.centerRouterName }), p.kind]),
  )
  const suspected = new Set(
    explained.causes.flatMap(({ isPartial, role, routerName, names = [] }) => {
      if (role === 'site') return names
      return isPartial || role === 'pop' || role === 'network' ? [] : [routerName]
    }),
  )
  const abnormal = new Set([
    ...inTrouble.map((m) => m.router_name),
    ...explained.unsuspected.map((p) => p.routerName),
    ...suspected,
  ])
  const centers = members.filter((member) => member.member_type === 'center')
  const pops = findPopProblems(links, byName)
  const lostPops = listLostPops(pops, byName)
  const alone = isWithdrawn ? WITHDRAWN : evaluateAlone(members, centers, lostPops)
  const detour = isPopFirst && !isWithdrawn && alone?.state === 'down' ? detourText(members, links) : null
  const whole = detour === null ? alone : null
  const troubles = [...lostPops, ...listRefusingPops(all), ...findTroubles(inTrouble, explained)]
  const parts = evaluateParts(troubles, alone, detour)
  const verdict = whole ?? parts ?? evaluateUnknown(members, links, byName)
  const isOpened = ({ presence }: Member) => presence.state !== 'never'
  const configured = members.filter((member) => isOpened(member) && member.config.state !== 'none')
  const opened = centers.filter(isOpened)
  const health: NetworkHealth = {
    ...verdict,
    centers: { up: opened.filter(({ presence }) => isPresent(presence.state)).length, total: opened.length },
    members: countStates(members),
    links: countLinks(links),
    single_center: singleCenter.size,
    config: { applied: configured.filter(({ config }) => config.state === 'applied').length, total: configured.length },
  }
  return {
    health,
    problems: whole ? [] : explained.rest.slice(0, HEALTH.problemsMax),
    causes: whole ? [] : explained.causes,
    checked: explained.checked,
    pops,
    affected: { abnormal, singleCenter, suspected },
    faultyLinks,
  }
}

/** Causes of faults between online ends. */
function explainPaths(
  problems: readonly PathProblem[],
  links: readonly Link[],
  byName: ReadonlyMap<string, Member | Node>,
): LinkCauses {
  const isSteady = (name: string) => byName.get(name)?.presence.state === 'online'
  const steady = links.filter((link) => isSteady(link.router_name) && isSteady(link.center_router_name))
  return explainLinks(problems, steady, (name) => {
    const end = byName.get(name)
    return { role: end?.member_type ?? 'point', site: end?.site ?? null }
  })
}

type Evaluation = Pick<NetworkHealth, 'state' | 'issues' | 'cause' | 'since'>

const WITHDRAWN: Evaluation = { state: 'down', issues: 1, cause: '组网已停用，设备配置已移除', since: null }

/** State that needs no single troubles. Centres that never came do not hide an offline POP node, which has cut real links. */
function evaluateAlone(
  members: readonly Member[],
  centers: readonly Member[],
  lostPops: readonly Trouble[],
): Evaluation | null {
  const alone = centers.length === 0 ? evaluateAlike(members) : evaluateCenters(centers)
  return alone?.state === 'never' && lostPops.length > 0 ? null : alone
}

/** State of a network without centres while none of its members ever came online; else null. */
function evaluateAlike(members: readonly Member[]): Evaluation | null {
  if (members.some(({ presence }) => presence.state !== 'never')) return null
  const cause = members.length === 0 ? '没有成员' : '成员从未上线'
  return { state: 'never', issues: 0, cause, since: null }
}

/** State that follows from the centres alone; null while one is present or may be. A centre that never came is ignored. */
function evaluateCenters(centers: readonly Member[]): Evaluation | null {
  const opened = centers.filter(({ presence }) => presence.state !== 'never')
  if (opened.length === 0) {
    return { state: 'never', issues: 0, cause: '中心点从未上线', since: null }
  }
  if (opened.some(({ presence }) => isPresent(presence.state) || presence.state === 'unreadable')) return null
  const times = opened.map(({ presence }) => shownSince(presence) ?? 0)
  const isDisabled = opened.every(({ presence }) => presence.state === 'disabled')
  const cause = `${everyCenter(opened.length)}${isDisabled ? '已停用' : '离线'}`
  return { state: 'down', issues: 1, cause, since: Math.max(...times) || null }
}

/**
 * State of a network in which nothing is known to be wrong: unknown if no link is up, most are unknown, or nobody is there.
 * Links of disabled devices are unknown on purpose.
 */
function evaluateUnknown(
  members: readonly Member[],
  links: readonly Link[],
  byName: ReadonlyMap<string, Pick<Member, 'presence'>>,
): Evaluation {
  const isDisabled = (name: string) => byName.get(name)?.presence.state === 'disabled'
  const used = links.filter((link) => !isDisabled(link.router_name) && !isDisabled(link.center_router_name))
  const opened = countOpened(countLinks(links))
  const isNoneUp = opened.up === 0 && opened.total > 0
  if (isMostlyUnknown(countOpened(countLinks(used))) || isNoneUp) return toUnknown(links)
  return members.some(({ presence }) => isPresent(presence.state)) ? WELL : NOBODY_THERE
}

const NOBODY_THERE: Evaluation = { state: 'unknown', issues: 0, cause: '没有成员在线', since: null }

/** Says the commonest reason of the unknown links. Without one, a reconnecting device is at an end of each. */
function toUnknown(links: readonly Link[]): Evaluation {
  const unknown = links.filter(({ state }) => state === 'unknown')
  const reasons = groupByName(unknown, ({ reason }) => [reason])
  const [[reason] = ['']] = [...reasons].toSorted(([, a], [, b]) => b.length - a.length)
  const cause = unknown.length === 0 ? '没有连通的链路，设备重连中' : `链路状态未知，${reason}（${unknown.length}）`
  return { state: 'unknown', issues: 0, cause, since: earliest(unknown.map(({ since }) => since)) }
}

/**
 * Sentence of a network without its centres whose members prefer POP nodes; null unless most of its points reach one. A link
 * that waits for reports decides nothing.
 */
function detourText(members: readonly Member[], links: readonly Link[]): string | null {
  const points = members.filter(
    (member) =>
      member.member_type === 'point' && member.router_type === ROUTER_TYPE.hardware && isPresent(member.presence.state),
  )
  const toNodes = links.filter(({ kind }) => kind === 'pop')
  const own = groupByName(toNodes, ({ router_name }) => [router_name])
  const statesOf = ({ router_name }: Member) => (own.get(router_name) ?? []).map(({ state }) => state)
  const reaching = points.filter((point) => statesOf(point).includes('up'))
  const cut = points.filter((point) => !statesOf(point).some((state) => state === 'up' || state === 'unknown'))
  if (reaching.length === 0 || cut.length * 2 > points.length) return null
  return cut.length === 0 ? 'POP 路径可用' : `POP 路径可用，但 ${cut.length} 个成员没有可用的POP链路`
}

const WELL: Evaluation = { state: 'ok', issues: 0, cause: '', since: null }

/** State that follows from single troubles; null without any. `detour`: the path that is left where centres are lost. */
function evaluateParts(
  troubles: readonly Trouble[],
  lost: Evaluation | null,
  detour: string | null,
): Evaluation | null {
  if (lost !== null && detour !== null) return evaluateDetour(lost, detour, troubles)
  return troubles.length === 0 ? null : evaluateTroubles(troubles)
}

/** The lost centres are one trouble, with the path that is left; others follow. */
function evaluateDetour(lost: Evaluation, detour: string, troubles: readonly Trouble[]): Evaluation {
  const rest = evaluateTroubles(troubles.filter(({ text }) => text !== CENTERS_AWAY))
  const cause = [`${lost.cause}，${detour}`, rest.cause].filter((text) => text !== '').join('，')
  return { state: 'partial', issues: 1 + rest.issues, cause, since: earliest([lost.since, rest.since]) }
}

const everyCenter = (count: number): string =>
  count === 1 ? '中心点' : count === 2 ? '两个中心点均' : `${count} 个中心点均`

interface Trouble {
  readonly text: string
  /** One entry for each cause of this kind. */
  readonly since: readonly (number | null)[]
}

function evaluateTroubles(troubles: readonly Trouble[]): Evaluation {
  const times = troubles.flatMap(({ since }) => since.filter((at) => at !== null))
  const issues = troubles.reduce((sum, { since }) => sum + since.length, 0)
  return {
    state: 'partial',
    issues,
    cause: troubles.map(({ since, text }) => `${since.length} ${text}`).join('，'),
    since: times.length === 0 ? null : Math.min(...times),
  }
}

const CENTERS_AWAY = '个中心点离线'

function findTroubles(
  inTrouble: readonly Member[],
  { causes, unsuspected }: Pick<LinkCauses, 'causes' | 'unsuspected'>,
): readonly Trouble[] {
  const offline = inTrouble.filter(({ presence }) => presence.state === 'offline')
  const since = (some: readonly Member[]) => some.map(({ presence }) => shownSince(presence))
  const failing = inTrouble.filter(
    ({ router_type, presence: { state }, config }) =>
      router_type === ROUTER_TYPE.hardware &&
      state !== 'offline' &&
      state !== 'unreadable' &&
      isConfigTrouble(config.state),
  )
  const ofKind = (kind: PathProblem['kind']) => unsuspected.filter((p) => p.kind === kind).map((p) => p.since)
  const troubles: readonly Trouble[] = [
    { text: CENTERS_AWAY, since: since(offline.filter((m) => m.member_type === 'center')) },
    { text: '个成员离线', since: since(offline.filter((m) => m.member_type === 'point')) },
    ...listSuspicions(causes),
    { text: '个成员抖动', since: since(inTrouble.filter(({ presence }) => presence.state === 'flapping')) },
    { text: '个成员状态未知', since: since(inTrouble.filter(({ presence }) => presence.state === 'unreadable')) },
    { text: '条链路断开', since: ofKind('link_down') },
    { text: '条链路单边', since: ofKind('link_one_sided') },
    { text: '个成员单中心', since: ofKind('single_center') },
    { text: '个成员配置异常', since: failing.map(({ config }) => config.at) },
  ]
  return troubles.filter((trouble) => trouble.since.length > 0)
}

/** POP nodes that online members cannot reach: the node is offline, or its links are down. */
function findPopProblems(
  links: readonly Link[],
  byName: ReadonlyMap<string, Pick<Member, 'presence'>>,
): readonly PopProblem[] {
  const cut = links.filter(
    ({ kind, router_name, center_router_name, state }) =>
      kind === 'pop' &&
      byName.get(router_name)?.presence.state === 'online' &&
      (state === 'down' || state === 'one_sided' || byName.get(center_router_name)?.presence.state === 'offline'),
  )
  return [...new Set(cut.map((link) => link.center_router_name))].map((node) => {
    const own = cut.filter((link) => link.center_router_name === node)
    const times = own.flatMap(({ since }) => since ?? [])
    const reason = own[0]?.reason ?? ''
    return { node, members: own.length, reason, since: times.length === 0 ? null : Math.min(...times) }
  })
}

/** Trouble of the POP nodes that are offline, with the names of their areas. */
function listLostPops(pops: readonly PopProblem[], byName: ReadonlyMap<string, Member | Node>): readonly Trouble[] {
  const lost = pops.filter(({ reason }) => reason === POP_AWAY)
  if (lost.length === 0) return []
  const areas = new Set(
    lost.flatMap(({ node }) => {
      const end = byName.get(node)
      return end?.member_type === 'pop' ? (end.area ?? []) : []
    }),
  )
  const names = areas.size === 0 ? '' : `（${[...areas].join('、')}）`
  return [{ text: `个${POP_AWAY}${names}`, since: lost.map(({ since }) => since) }]
}

/** Trouble of the POP nodes that do not run the newest configuration of this network, with the reason of the first. */
function listRefusingPops(all: readonly (Member | Node)[]): readonly Trouble[] {
  const refusing = all.flatMap((one) =>
    !isMember(one) && isPresent(one.presence.state) && isRefused(one.config) ? [one.config] : [],
  )
  const [first] = refusing
  return first === undefined ? [] : [{ text: `个${first.reason}`, since: refusing.map(({ at }) => at) }]
}

/** Faults between two online ends. 单中心 (single centre) counts only if the other centre is disabled: no row names that. */
function findPathProblems(
  links: readonly Link[],
  byName: ReadonlyMap<string, Pick<Member, 'presence'>>,
  singles: ReadonlySet<string>,
): readonly PathProblem[] {
  const isSteady = (name: string) => byName.get(name)?.presence.state === 'online'
  const stateOf = (name: string) => byName.get(name)?.presence.state
  const toProblem = (kind: PathProblem['kind'], link: Link): PathProblem => ({
    kind,
    routerName: link.router_name,
    centerRouterName: link.center_router_name,
    isSingleCenter: singles.has(link.router_name),
    reason: link.reason,
    since: link.since,
  })
  return links.flatMap((link) => {
    if (!isSteady(link.router_name)) return []
    if (stateOf(link.center_router_name) === 'disabled')
      return singles.has(link.router_name) ? [toProblem('single_center', link)] : []
    if (!isSteady(link.center_router_name)) return []
    if (link.state === 'down') return [toProblem('link_down', link)]
    return link.state === 'one_sided' ? [toProblem('link_one_sided', link)] : []
  })
}
