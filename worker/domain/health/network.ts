import type { NetworkHealth, NetworkSummary, PathProblem, PopProblem } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { LinkView, MemberView } from '#contract/kernel/protocol.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { countLinks } from './link.ts'
import { type LinkCauses, explainLinks, listSuspicions } from './link-causes.ts'
import { countStates, isConfigTrouble, isPresent, isTrouble } from './member.ts'
import { findPaths } from './paths.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Health of one network: its state and causes, faulty links, POP problems, and the members affected. */

type Member = Pick<MemberView, 'router_name' | 'router_type' | 'member_type' | 'presence' | 'config'> & {
  /** Public address that it may share with others; missing from the row of a hub of the release before. */
  readonly site?: string | null
}
/** A POP node: a device of the operator, which does not count as a member. */
type Node = Omit<Member, 'member_type'> & { readonly member_type: 'pop' }
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

/**
 * Evaluates causes first: an absent centre explains its links, an interrupted network all of its points. `isWithdrawn`:
 * suspended for so long that its configuration was removed from all devices; it has no links.
 */
export function evaluateNetwork(
  all: readonly (Member | Node)[],
  links: readonly Link[],
  { isWithdrawn = false }: { readonly isWithdrawn?: boolean } = {},
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
  const whole = isWithdrawn ? WITHDRAWN : centers.length === 0 ? evaluateAlike(members) : evaluateCenters(centers)
  const verdict = whole ?? evaluateTroubles(findTroubles(inTrouble, explained))
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
    pops: findPopProblems(links, byName),
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
    state: issues === 0 ? 'ok' : 'partial',
    issues,
    cause: troubles.map(({ since, text }) => `${since.length} ${text}`).join('，'),
    since: times.length === 0 ? null : Math.min(...times),
  }
}

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
    { text: '个中心点离线', since: since(offline.filter((m) => m.member_type === 'center')) },
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
