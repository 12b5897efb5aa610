import type { LinkCause, PathProblem } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { LINK_WORD, NETWORK_FAILS, SUSPECTED_WORD } from '#contract/kernel/states.ts'
import { type Candidate, explain, explainBursts, groupByName } from './explain.ts'
import { type SiteCandidate, listSites } from './site.ts'

/* Causes of one network's faulty links: its centres, POP nodes, points, sites, and the network as a whole. */

type Role = Exclude<LinkCause['role'], 'site' | 'network'>
type End = Pick<PathProblem, 'routerName' | 'centerRouterName'>

export interface LinkCauses {
  readonly causes: readonly LinkCause[]
  /** Problems without a cause, and those without a suspected object: these include the links that failed together. */
  readonly rest: readonly PathProblem[]
  readonly unsuspected: readonly PathProblem[]
  readonly checked: Readonly<Record<string, number>>
}

interface LinkEndFacts {
  readonly role: Role
  /** Its public address, if others may share it. */
  readonly site: string | null
}

/**
 * Explains the problems of links that are down or one-sided; others have causes of their own. `links` are those between
 * online ends.
 */
export function explainLinks(
  all: readonly PathProblem[],
  links: readonly Pick<LinkView, 'router_name' | 'center_router_name' | 'state'>[],
  endOf: (name: string) => LinkEndFacts,
): LinkCauses {
  const roleOf = (name: string) => endOf(name).role
  const checked = new Map<string, number>()
  for (const { router_name, center_router_name, state } of links) {
    if (state !== 'up' && state !== 'down' && state !== 'one_sided') continue
    for (const name of [router_name, center_router_name, '']) checked.set(name, (checked.get(name) ?? 0) + 1)
  }
  const others = all.filter(({ kind }) => kind === 'single_center')
  const faulty = all.filter(({ kind }) => kind !== 'single_center')
  const devices = [...checked].flatMap(([name, count]) => {
    const site = name === '' ? null : endOf(name).site
    return site === null ? [] : [{ name, site, checked: count }]
  })
  const candidates = [...listCandidates(faulty, checked, roleOf), ...listSites(faulty, devices, endsOf)]
  const found = explain(faulty, candidates)
  const suspected = found.causes.map(({ candidate, symptoms }) => toCause(candidate, symptoms, false))
  const { bursts, rest } = explainBursts(found.rest, endsOf)
  const together = bursts.map(({ name, symptoms }) => toCause({ id: name, kind: roleOf(name) }, symptoms, true))
  const causes = [...suspected, ...together]
  const isNamed = (name: string) => name === '' || roleOf(name) !== 'point'
  const named = new Set([
    ...causes.flatMap(({ routerName, names = [] }) => [routerName, ...names]),
    ...rest.slice(0, HEALTH.problemsMax).flatMap(endsOf),
  ])
  return {
    causes,
    rest: [...rest, ...others],
    unsuspected: [...found.rest, ...others],
    checked: Object.fromEntries([...checked].filter(([name]) => isNamed(name) || named.has(name))),
  }
}

const endsOf = ({ routerName, centerRouterName }: End): readonly string[] => [routerName, centerRouterName]

type ProblemCandidate =
  | (Candidate<PathProblem> & { readonly kind: Exclude<LinkCause['role'], 'site'> })
  | SiteCandidate<PathProblem>

function listCandidates(
  problems: readonly PathProblem[],
  checked: ReadonlyMap<string, number>,
  roleOf: (name: string) => Role,
): readonly ProblemCandidate[] {
  const possible = (id: string, found: readonly unknown[]) => Math.max(checked.get(id) ?? 0, found.length)
  const ofEnds = [...groupByName(problems, endsOf)].map(([id, symptoms]): ProblemCandidate => ({
    id,
    kind: roleOf(id),
    symptoms,
    possible: possible(id, symptoms),
  }))
  return [...ofEnds, { id: '', kind: 'network', symptoms: problems, possible: possible('', problems) }]
}

function toCause(
  { id, kind, devices }: Pick<ProblemCandidate, 'id' | 'kind'> & { readonly devices?: readonly string[] },
  found: readonly PathProblem[],
  isPartial: boolean,
): LinkCause {
  const problems = found.toSorted((a, b) => Number(b.kind === 'link_down') - Number(a.kind === 'link_down'))
  const ends = new Set(problems.flatMap((problem) => (id === '' ? [problem.routerName] : endsOf(problem))))
  ends.delete(id)
  const times = problems.flatMap(({ since }) => since ?? [])
  const down = problems.filter((problem) => problem.kind === 'link_down').length
  const names = devices?.slice(0, HEALTH.problemsMax) ?? (isPartial ? [...ends] : [])
  return {
    role: kind,
    routerName: id,
    down,
    oneSided: problems.length - down,
    members: devices?.length ?? ends.size,
    since: times.length === 0 ? null : Math.min(...times),
    isPartial,
    ...(names.length > 0 && names.length <= HEALTH.problemsMax && { names }),
  }
}

export function faultyLinksText(down: number, all: number): string {
  const word = down === all ? LINK_WORD.down : down === 0 ? LINK_WORD.one_sided : '中断'
  return `${all} 条链路同时${word}`
}

const CAUSE_WORD: Readonly<Record<LinkCause['role'], string>> = {
  center: `个中心点${SUSPECTED_WORD}`,
  pop: `个POP节点${SUSPECTED_WORD}`,
  point: `个成员${SUSPECTED_WORD}`,
  site: `处公网地址${SUSPECTED_WORD}`,
  network: `处${NETWORK_FAILS}`,
}

/** Troubles of a network's sentence, one for each kind of suspected object. */
export function listSuspicions(causes: readonly LinkCause[]) {
  const suspected = causes.filter(({ isPartial }) => !isPartial)
  return (Object.keys(CAUSE_WORD) as readonly LinkCause['role'][]).flatMap((role) => {
    const own = suspected.filter((cause) => cause.role === role)
    if (own.length === 0) return []
    const links = own.reduce((sum, { down, oneSided }) => sum + down + oneSided, 0)
    return [{ text: `${CAUSE_WORD[role]}（${links} 条链路）`, since: own.map(({ since }) => since) }]
  })
}
