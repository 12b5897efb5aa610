import type { AttentionRow, LinkCause, PathProblem } from '#contract/kernel/health.ts'
import { SUSPECTED_WORD } from '#contract/kernel/states.ts'
import { isPresent } from './member.ts'
import { OUTAGE_SUSPECTED, listHalved, outageText, toConsequences, withConsequences } from './absence.ts'
import { type AttentionMember, type AttentionNetwork, isHardware, joinNames, row } from './attention-facts.ts'
import { faultyLinksText } from './link-causes.ts'
import { type Candidate, type Symptom, explain, explainBursts, groupByName } from './explain.ts'

/* Suspected objects of an account: faulty links of all its networks, explained by their common ends. */

export interface Suspicions {
  readonly rows: readonly AttentionRow[]
  /** Problems of links that have rows of their own. */
  readonly problems: ReadonlyMap<string, readonly PathProblem[]>
}

/** One faulty link; of a cause that a network's hub has found, only its number is known. */
interface Fault extends Symptom {
  readonly network: AttentionNetwork
  readonly isDown: boolean
  readonly ends: readonly string[]
  readonly problem: PathProblem | null
  readonly cause: LinkCause | null
}

type FaultCandidate = Candidate<Fault> & { readonly kind: LinkCause['role'] }

/** Returned to work less than this before its links failed: they are still coming up. */
const RETURN_MS = 30_000

export function explainSuspicions(
  members: readonly AttentionMember[],
  networks: readonly AttentionNetwork[],
  labelOf: (name: string) => string,
): Suspicions {
  const byName = new Map(members.map((member) => [member.routerName, member]))
  const working = networks.filter(({ health }) => health.state !== 'down')
  const isKnownAway = (name: string) => {
    const state = byName.get(name)?.presence.state
    return state !== undefined && !isPresent(state)
  }
  const faults = working
    .flatMap(listFaults)
    .filter(({ ends, problem }) => problem?.kind === 'single_center' || !ends.some(isKnownAway))
  const links = faults.filter(({ problem }) => problem?.kind !== 'single_center')
  const found = explain(links, listCandidates(links, byName, working))
  const suspects = new Map(found.causes.map((cause) => [cause.candidate.id, cause]))
  const isLost = (member: AttentionMember) => suspects.has(member.routerName) || member.presence.state === 'offline'
  const centers = groupByName(
    members.filter(({ presence }) => presence.state !== 'never'),
    (member) => member.networks.flatMap(({ number, memberType }) => (memberType === 'center' ? [number] : [])),
  )
  const outagesOf = (name: string) =>
    working.filter(({ number }) => {
      const own = centers.get(number) ?? []
      return own.some(({ routerName }) => routerName === name) && own.every(isLost)
    })
  const rows = joinSuspects(
    found.causes.map(({ candidate: { kind, id }, symptoms }) => ({
      kind,
      id,
      member: byName.get(id),
      name: kind === 'network' ? (symptoms[0]?.network.name ?? '') : labelOf(id),
      outages: outagesOf(id),
      faults: symptoms,
    })),
  ).flatMap((group) => suspectedRow(group, working))
  const { bursts, rest } = explainBursts(found.rest, ({ ends }) => ends)
  const left = groupByName(rest, ({ cause }) => (cause === null ? [] : [cause.routerName]))
  const together = [...bursts, ...[...left].map(([name, symptoms]) => ({ name, symptoms }))]
  const single = [...rest, ...faults.filter(({ problem }) => problem?.kind === 'single_center')]
  return {
    rows: [...rows, ...together.map(({ name, symptoms }) => togetherRow(name, labelOf, symptoms))],
    problems: new Map(
      working.map(({ number }) => [
        number,
        single.flatMap(({ network, problem }) => (network.number === number && problem !== null ? [problem] : [])),
      ]),
    ),
  }
}

function listFaults(network: AttentionNetwork): readonly Fault[] {
  const ofProblems = network.problems.map((problem): Fault => ({
    network,
    isDown: problem.kind === 'link_down',
    since: problem.since,
    ends: [problem.routerName, problem.centerRouterName],
    problem,
    cause: null,
  }))
  const ofCauses = (network.causes ?? []).flatMap((cause) => {
    const ends = cause.routerName === '' ? [] : [cause.routerName]
    return Array.from({ length: cause.down + cause.oneSided }, (_, n): Fault => {
      return { network, isDown: n < cause.down, since: cause.since, ends, problem: null, cause }
    })
  })
  return [...ofCauses, ...ofProblems]
}

function listCandidates(
  faults: readonly Fault[],
  members: ReadonlyMap<string, AttentionMember>,
  networks: readonly AttentionNetwork[],
): readonly FaultCandidate[] {
  const online = countOnline([...members.values()])
  const ofEnds = [...groupByName(faults, ({ ends }) => ends)].map(([id, symptoms]): FaultCandidate => {
    const possible = networks.reduce((sum, network) => sum + countChecked(network, members.get(id), id, online), 0)
    return { id, kind: kindOf(id, members, symptoms), symptoms, possible: Math.max(possible, symptoms.length) }
  })
  const ofNetworks = [...groupByName(faults, ({ network }) => [network.number])].map(
    ([number, symptoms]): FaultCandidate => {
      const checked = symptoms[0]?.network.checked?.[''] ?? Number.MAX_SAFE_INTEGER
      return { id: `network ${number}`, kind: 'network', symptoms, possible: Math.max(checked, symptoms.length) }
    },
  )
  return [...ofEnds, ...ofNetworks]
}

const ROLES = ['center', 'pop', 'point'] as const

function kindOf(
  id: string,
  members: ReadonlyMap<string, AttentionMember>,
  faults: readonly Fault[],
): FaultCandidate['kind'] {
  const roles = faults.flatMap(({ cause }) => (cause?.routerName === id ? [cause.role] : []))
  const own = members.get(id)?.networks.map(({ memberType }) => memberType)
  return ROLES.find((role) => roles.includes(role) || own?.some((type) => type === role)) ?? (own ? 'point' : 'pop')
}

/** Links of an object in a network whose state is known. A hub of the release before leaves them to the rows. */
function countChecked(
  { number, checked }: AttentionNetwork,
  member: AttentionMember | undefined,
  id: string,
  online: ReadonlyMap<string, number>,
): number {
  if (checked !== undefined) return checked[id] ?? 0
  if (member === undefined) return Number.MAX_SAFE_INTEGER / 1e6
  const role = member.networks.find((network) => network.number === number)?.memberType
  return role === undefined ? 0 : (online.get(`${role === 'center' ? 'point' : 'center'} ${number}`) ?? 0)
}

function countOnline(members: readonly AttentionMember[]): ReadonlyMap<string, number> {
  const online = members.filter((member) => isHardware(member) && member.presence.state === 'online')
  const roles = groupByName(online, ({ networks }) =>
    networks.map(({ number, memberType }) => `${memberType} ${number}`),
  )
  return new Map([...roles].map(([role, some]) => [role, some.length]))
}

interface Suspect {
  readonly kind: LinkCause['role']
  readonly id: string
  /** Undefined for a network and a POP node. */
  readonly member: AttentionMember | undefined
  readonly name: string
  /** Networks whose centres are all suspected or away, this one among them. */
  readonly outages: readonly AttentionNetwork[]
  readonly faults: readonly Fault[]
}

/** Groups of suspects that interrupt the same networks; others stay alone. */
function joinSuspects(suspects: readonly Suspect[]): readonly (readonly Suspect[])[] {
  let groups: (readonly Suspect[])[] = []
  for (const suspect of suspects) {
    const near = groups.filter((group) =>
      group.some(({ outages }) => outages.some((network) => suspect.outages.includes(network))),
    )
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), suspect]]
  }
  return groups
}

function suspectedRow(suspects: readonly Suspect[], working: readonly AttentionNetwork[]): readonly AttentionRow[] {
  const [first] = suspects
  if (first === undefined) return []
  const { kind, id, member } = first
  const faults = suspects.flatMap((suspect) => suspect.faults)
  const since = sinceOf(faults)
  const names = suspects.map(({ name }) => name)
  const number = faults[0]?.network.number ?? ''
  const target =
    member === undefined
      ? ({ type: 'network', network_number: number } as const)
      : ({ type: 'router', router_name: id } as const)
  const unlisted = member === undefined && kind !== 'network' ? { object: `${number}/${first.name}` } : {}
  const facts = { name: joinNames(names, '个中心点'), since, ...unlisted }
  if (suspects.every((suspect) => hasReturned(suspect, since))) {
    const back = row('suspected', target, { ...facts, cause: `刚恢复在线：${faults.length} 条链路尚未连通` })
    return [{ ...back, level: 'warn' }]
  }
  const members = suspects.flatMap((suspect) => suspect.member ?? [])
  const outages = [...new Set(suspects.flatMap((suspect) => suspect.outages))]
  const halved = listHalved(members, working).filter(({ number }) => !outages.some((one) => one.number === number))
  const cause = `${kind === 'network' ? '链路大面积异常' : SUSPECTED_WORD}：${linksText(faults)}`
  const consequences = outageText(toConsequences(outages, halved), OUTAGE_SUSPECTED)
  return [row('suspected', target, { ...facts, cause: withConsequences(cause, consequences) })]
}

function hasReturned({ member }: Suspect, since: number | null): boolean {
  const online = member?.presence.since ?? null
  return online !== null && since !== null && since >= online && since - online < RETURN_MS
}

function togetherRow(name: string, labelOf: (name: string) => string, faults: readonly Fault[]): AttentionRow {
  const number = faults[0]?.network.number ?? ''
  const target = { type: 'network', network_number: number } as const
  const label = name === '' ? (faults[0]?.network.name ?? '') : labelOf(name)
  const facts = { name: label, object: `${number}/${label}`, since: sinceOf(faults), cause: linksText(faults) }
  return row('links_together', target, facts)
}

const linksText = (faults: readonly Fault[]): string =>
  faultyLinksText(faults.filter(({ isDown }) => isDown).length, faults.length)

function sinceOf(faults: readonly Fault[]): number | null {
  const times = faults.flatMap(({ since }) => since ?? [])
  return times.length === 0 ? null : Math.min(...times)
}
