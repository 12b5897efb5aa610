import type { AttentionRow, LinkCause, PathProblem } from '#contract/kernel/health.ts'
import { NETWORK_FAILS, SUSPECTED_WORD, shownSince } from '#contract/kernel/states.ts'
import { isPresent } from './member.ts'
import { OUTAGE_SUSPECTED, listHalved, outageText, toConsequences, withConsequences } from './absence.ts'
import { type AttentionMember, type AttentionNetwork, isAway, isHardware, joinNames, row } from './attention-facts.ts'
import { faultyLinksText } from './link-causes.ts'
import { type Candidate, type Symptom, explain, explainBursts, groupByName } from './explain.ts'
import { type SiteCandidate, type SiteDevice, listSites, siteOf } from './site.ts'

/* Suspected objects of an account: faulty links of all its networks, explained by their common ends. */

export interface Suspicions {
  readonly rows: readonly AttentionRow[]
  /** Problems of links that have rows of their own. */
  readonly problems: ReadonlyMap<string, readonly PathProblem[]>
  /** Absent members of a suspected site. */
  readonly hidden: ReadonlySet<string>
}

/** One faulty link; of a cause that a network's hub has found, only its number is known. */
interface Fault extends Symptom {
  readonly network: AttentionNetwork
  readonly isDown: boolean
  readonly ends: readonly string[]
  readonly problem: PathProblem | null
  readonly cause: LinkCause | null
  /** Of a device that is away already: no link, but evidence for its site. */
  readonly isAbsence?: boolean
}

const isOfLink = ({ isAbsence = false }: Fault): boolean => !isAbsence

type FaultCandidate = (Candidate<Fault> & { readonly kind: Exclude<LinkCause['role'], 'site'> }) | SiteCandidate<Fault>

/** Time after the return of a device in which its links come up. */
const RETURN_MS = 30_000
/** Its last contact is this near to the first fault: it went with the others of its site. */
const GONE_MS = 60_000

export function explainSuspicions(
  members: readonly AttentionMember[],
  networks: readonly AttentionNetwork[],
  labelOf: (name: string) => string,
  now: number,
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
  const absent = listAbsent(members, working, sinceOf(links))
  const found = explain([...links, ...absent], listCandidates(links, absent, byName, working))
  const suspects = new Set(found.causes.flatMap(({ candidate }) => namesOf(candidate)))
  const isLost = (member: AttentionMember) => suspects.has(member.routerName) || member.presence.state === 'offline'
  const centers = groupByName(
    members.filter(({ presence }) => presence.state !== 'never'),
    (member) => member.networks.flatMap(({ number, memberType }) => (memberType === 'center' ? [number] : [])),
  )
  const outagesOf = (names: readonly string[]) =>
    working.filter(({ number }) => {
      const own = centers.get(number) ?? []
      return own.some(({ routerName }) => names.includes(routerName)) && own.every(isLost)
    })
  const rows = joinSuspects(
    found.causes.map(({ candidate, symptoms }) => ({
      kind: candidate.kind,
      id: candidate.id,
      members: namesOf(candidate).flatMap((name) => byName.get(name) ?? []),
      name: nameOf(candidate, symptoms, labelOf),
      outages: outagesOf(namesOf(candidate)),
      faults: symptoms.filter(isOfLink),
    })),
  ).flatMap((group) => suspectedRow(group, working, now))
  const { bursts, rest } = explainBursts(found.rest.filter(isOfLink), ({ ends }) => ends)
  const left = groupByName(rest, ({ cause }) => (cause === null ? [] : [cause.routerName]))
  const together = [...bursts, ...[...left].map(([name, symptoms]) => ({ name, symptoms }))]
  const single = [...rest, ...faults.filter(({ problem }) => problem?.kind === 'single_center')]
  return {
    hidden: new Set(members.filter((member) => isAway(member) && suspects.has(member.routerName)).map(toName)),
    rows: [...rows, ...together.map(({ name, symptoms }) => togetherRow(name, labelOf, symptoms))],
    problems: new Map(
      working.map(({ number }) => [
        number,
        single.flatMap(({ network, problem }) => (network.number === number && problem !== null ? [problem] : [])),
      ]),
    ),
  }
}

const toName = ({ routerName }: AttentionMember): string => routerName

/** Members that a cause suspects. */
const namesOf = (candidate: FaultCandidate): readonly string[] =>
  candidate.kind === 'site' ? candidate.devices : [candidate.id]

function nameOf(candidate: FaultCandidate, faults: readonly Fault[], labelOf: (name: string) => string): string {
  if (candidate.kind === 'site') return `${candidate.devices.length} 台硬件`
  return candidate.kind === 'network' ? (faults[0]?.network.name ?? '') : labelOf(candidate.id)
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
    const { role, routerName, names = [], down, oneSided, since } = cause
    const endsOf = (n: number) => {
      if (role === 'site') return [names[n % names.length] ?? []].flat()
      return routerName === '' ? [] : [routerName, ...names.slice(n, n + 1)]
    }
    return Array.from({ length: down + oneSided }, (_, n): Fault => {
      return { network, isDown: n < down, since, ends: endsOf(n), problem: null, cause }
    })
  })
  return [...ofCauses, ...ofProblems]
}

/** Absences of devices that went with the faulty links: as many as their networks have other centres, at least one. */
function listAbsent(
  members: readonly AttentionMember[],
  networks: readonly AttentionNetwork[],
  begunAt: number | null,
): readonly Fault[] {
  if (begunAt === null) return []
  return members.flatMap((member) => {
    const since = shownSince(member.presence)
    if (!isAway(member) || siteOf(member.remoteHost) === null || Math.abs(begunAt - (since ?? 0)) >= GONE_MS) return []
    const own = networks.filter(({ number }) => member.networks.some((one) => one.number === number))
    return own.flatMap((network) => {
      const count = Math.max(1, network.health.centers.up)
      const ends = [member.routerName]
      return Array.from({ length: count }, () => {
        return { network, isDown: true, ends, since, problem: null, cause: null, isAbsence: true }
      })
    })
  })
}

function listCandidates(
  faults: readonly Fault[],
  absent: readonly Fault[],
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
  const linksOf = (member: AttentionMember) =>
    networks.reduce((sum, network) => sum + countChecked(network, member, member.routerName, online), 0)
  const absentNames = groupByName(absent, ({ ends }) => ends)
  const devices = [...members.values()].flatMap((member): SiteDevice[] => {
    const { routerName: name, presence } = member
    const site = siteOf(member.remoteHost)
    if (site === null || !isHardware(member)) return []
    if (isPresent(presence.state)) return [{ name, site, checked: linksOf(member) }]
    const lost = absentNames.get(name)
    return lost === undefined ? [] : [{ name, site, checked: lost.length }]
  })
  return [...ofEnds, ...ofNetworks, ...listSites([...faults, ...absent], devices, ({ ends }) => ends)]
}

const ROLES = ['center', 'pop', 'point'] as const

function kindOf(
  id: string,
  members: ReadonlyMap<string, AttentionMember>,
  faults: readonly Fault[],
): (typeof ROLES)[number] {
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
  const known = checked?.[id]
  if (known !== undefined) return known
  if (member === undefined) return checked === undefined ? Number.MAX_SAFE_INTEGER / 1e6 : 0
  const role = member.networks.find((network) => network.number === number)?.memberType
  if (checked !== undefined && role !== 'point') return 0 // it names centres and POP nodes, and points with faults
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
  /** None for a network and a POP node. */
  readonly members: readonly AttentionMember[]
  readonly name: string
  /** Networks whose centres are all suspected or away, one of these among them. */
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

function suspectedRow(
  suspects: readonly Suspect[],
  working: readonly AttentionNetwork[],
  now: number,
): readonly AttentionRow[] {
  const [first] = suspects
  if (first === undefined) return []
  const { kind, members: own } = first
  const faults = suspects.flatMap((suspect) => suspect.faults)
  const since = sinceOf(faults)
  const names = suspects.map(({ name }) => name)
  const facts = { name: joinNames(names, '个中心点'), since, ...toObject(first) }
  const target = toTarget(first)
  if (suspects.every((suspect) => hasReturned(suspect, since, now))) {
    const back = row('suspected', target, { ...facts, cause: `刚恢复在线：${faults.length} 条链路尚未连通` })
    return [{ ...back, level: 'warn' }]
  }
  const members = suspects.flatMap((suspect) => suspect.members)
  const outages = [...new Set(suspects.flatMap((suspect) => suspect.outages))]
  const halved = listHalved(members, working).filter(({ number }) => !outages.some((one) => one.number === number))
  const cause = `${kind === 'network' ? NETWORK_FAILS : SUSPECTED_WORD}${siteText(own, kind)}：${linksText(faults)}`
  const consequences = outageText(toConsequences(outages, halved), OUTAGE_SUSPECTED)
  return [row('suspected', target, { ...facts, cause: withConsequences(cause, consequences) })]
}

function toTarget({ kind, id, members, faults }: Suspect) {
  if (kind === 'site') return { type: 'members' } as const
  if (members.length > 0) return { type: 'router', router_name: id } as const
  return { type: 'network', network_number: faults[0]?.network.number ?? '' } as const
}

/** Object of the row's id, where the target has no name of the suspect: the address of a site, a POP node. */
function toObject({ kind, name, members, faults }: Suspect) {
  if (kind === 'site') return { object: siteOf(members[0]?.remoteHost ?? null) ?? '' }
  return members.length > 0 || kind === 'network' ? {} : { object: `${faults[0]?.network.number ?? ''}/${name}` }
}

const siteText = ([member]: readonly AttentionMember[], kind: Suspect['kind']): string =>
  kind === 'site' ? `，都在公网地址 ${member?.remoteHost ?? ''} 之后` : ''

function hasReturned({ members }: Suspect, since: number | null, now: number): boolean {
  if (members.length === 0 || since === null) return false
  return members.every(({ presence: { since: at } }) => at !== null && since >= at && now - at < RETURN_MS)
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
