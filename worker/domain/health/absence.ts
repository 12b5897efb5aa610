import type { AttentionRow } from '#contract/kernel/health.ts'
import { compareText } from '#contract/kernel/compare.ts'
import { HEALTH, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { type AttentionMember, type AttentionNetwork, isAway, isHardware, joinNames, row } from './attention-facts.ts'
import { type Candidate, type Symptom, explain, groupByName, longestBurst } from './explain.ts'
import { hasCome } from './member.ts'
import { siteOf } from './site.ts'

/* Causes of absent devices and interrupted networks: the whole account, a site behind one address, lost centres. */

export interface Absences {
  readonly rows: readonly AttentionRow[]
  /** Absent members without rows of their own. */
  readonly hidden: ReadonlySet<string>
  /** Numbers of the interrupted networks that another row names. */
  readonly named: ReadonlySet<string>
}

/** Longest time from the last contact of a device that vanished silently until its death. */
const CONTACT_GAP_MS = PRESENCE.pingMs * (1 + PRESENCE.pingSpread)
/** Contacts of devices that were lost at one moment lie within this time. */
export const SILENT_WINDOW_MS = HEALTH.togetherMs + CONTACT_GAP_MS

interface Absence extends Symptom {
  readonly member: AttentionMember
}

interface Group {
  readonly kind: 'fleet' | 'site' | 'centers'
  readonly members: readonly AttentionMember[]
}

export function explainAbsences(members: readonly AttentionMember[], networks: readonly AttentionNetwork[]): Absences {
  const away = members.filter(isAway)
  const wide = findWideGroups(members, away)
  const inWide = new Set(wide.flatMap((group) => group.members.map(({ routerName }) => routerName)))
  const interrupted = networks.filter(({ health, isWithdrawn }) => health.state === 'down' && !isWithdrawn)
  const lost = new Map(interrupted.map((network) => [network.number, listCenters(away, network)]))
  const groups = [...wide, ...joinCenters([...lost.values()], inWide)]
  const outages = new Map(groups.map((group) => [group, [] as AttentionNetwork[]]))
  for (const network of interrupted) {
    const [last] = (lost.get(network.number) ?? []).toSorted((a, b) => sinceOf(b) - sinceOf(a))
    const group = last && groups.find((one) => one.members.includes(last))
    if (group) outages.get(group)?.push(network)
  }
  const numbers = new Set(interrupted.map(({ number }) => number))
  const isInterrupted = (member: AttentionMember) =>
    member.networks.length > 0 && member.networks.every(({ number }) => numbers.has(number))
  const inGroups = new Set(groups.flatMap((group) => group.members))
  const inside = away.filter((member) => isInterrupted(member) && !inGroups.has(member))
  return {
    rows: groups.map((group) => groupRow(group, outages.get(group) ?? [], { networks, inside })),
    hidden: new Set([...inGroups, ...inside].map(({ routerName }) => routerName)),
    named: new Set([...outages.values()].flat().map(({ number }) => number)),
  }
}

const sinceOf = ({ presence }: AttentionMember): number => shownSince(presence) ?? 0

const listCenters = (away: readonly AttentionMember[], { number }: AttentionNetwork): readonly AttentionMember[] =>
  away.filter(({ networks }) => networks.some((one) => one.number === number && one.memberType === 'center'))

/** Devices that vanished together: most of the account, or most of those behind one public address. */
function findWideGroups(members: readonly AttentionMember[], away: readonly AttentionMember[]): readonly Group[] {
  const absences = away.map((member): Absence => ({ member, since: shownSince(member.presence) }))
  const opened = members.filter((member) => isHardware(member) && isInUse(member))
  const openedBehind = groupByName(opened, siteNames)
  const behind = groupByName(absences, ({ member }) => siteNames(member))
  const together = (some: readonly Absence[]) => longestBurst(some, windowOf(some))
  const candidates: readonly Candidate<Absence>[] = [
    { id: '', kind: 'account', symptoms: together(absences), possible: opened.length },
    ...[...behind].map(([id, some]): Candidate<Absence> => {
      const possible = openedBehind.get(id)?.length ?? some.length
      return { id, kind: 'site', symptoms: together(some), possible }
    }),
  ]
  return explain(absences, candidates).causes.map(({ candidate, equals, symptoms }): Group => {
    const isFleet = [candidate, ...equals].some(({ kind }) => kind === 'account')
    return { kind: isFleet ? 'fleet' : 'site', members: symptoms.map(({ member }) => member) }
  })
}

const isInUse = ({ presence }: AttentionMember): boolean => hasCome(presence.state) && presence.state !== 'unreadable'

/** A cut connection is known at once, a silent one at its next heartbeat. */
const windowOf = (absences: readonly Absence[]): number =>
  absences.some(({ member }) => isSilent(member)) ? SILENT_WINDOW_MS : HEALTH.togetherMs

/** Offline is decided a grace after a close, but a lease after the last heartbeat. */
const isSilent = ({ presence: { since, last_seen } }: AttentionMember): boolean =>
  since !== null && last_seen !== null && since - last_seen >= PRESENCE.leaseMs

/** The public address of a device as a list; empty for addresses of private networks. */
function siteNames({ remoteHost }: AttentionMember): readonly string[] {
  const site = siteOf(remoteHost)
  return site === null ? [] : [site]
}

/** Groups of centres that interrupt networks together. */
function joinCenters(lost: readonly (readonly AttentionMember[])[], taken: ReadonlySet<string>): readonly Group[] {
  let groups: (readonly AttentionMember[])[] = []
  for (const centers of lost) {
    const own = centers.filter(({ routerName }) => !taken.has(routerName))
    if (own.length === 0) continue
    const near = groups.filter((group) => group.some((member) => own.includes(member)))
    groups = [...groups.filter((group) => !near.includes(group)), [...new Set([...near.flat(), ...own])]]
  }
  return groups.map((members) => ({ kind: 'centers', members }))
}

interface Around {
  readonly networks: readonly AttentionNetwork[]
  /** Other absent members that are in interrupted networks only. */
  readonly inside: readonly AttentionMember[]
}

function groupRow({ kind, members }: Group, outages: readonly AttentionNetwork[], around: Around): AttentionRow {
  const times = members.map(sinceOf)
  const consequences = outageText(toConsequences(outages, listHalved(members, around.networks)))
  const numbers = new Set(outages.map(({ number }) => number))
  const folded = around.inside.filter(({ networks }) => networks.some(({ number }) => numbers.has(number))).length
  if (kind === 'centers') {
    const lost = members.toSorted((a, b) => sinceOf(a) - sinceOf(b) || compareText(a.label, b.label))
    const target = { type: 'router', router_name: lost[0]?.routerName ?? '' } as const
    const name = joinNames(
      lost.map(({ label }) => label),
      '个中心点',
    )
    const facts = { name, since: Math.max(...times) || null, folded }
    return row('network_down', target, { ...facts, cause: withConsequences('离线', consequences) })
  }
  const facts = { name: `${members.length} 台硬件`, since: Math.min(...times) || null, folded }
  const target = { type: 'members' } as const
  if (kind === 'fleet') {
    const cause = `在 ${spanText(times)}内同时离线，可能是服务端或出口线路`
    return row('fleet_offline', target, { ...facts, cause: withConsequences(cause, consequences) })
  }
  const cause = `同时离线，都在公网地址 ${members[0]?.remoteHost ?? ''} 之后，可能是该处断电或出口线路`
  return row('site_offline', target, {
    ...facts,
    object: members.flatMap(siteNames)[0] ?? '',
    cause: withConsequences(cause, consequences),
  })
}

const spanText = (times: readonly number[]): string =>
  `${Math.max(1, Math.round((Math.max(...times) - Math.min(...times)) / 1000))} 秒`

export const withConsequences = (cause: string, consequences: string): string =>
  consequences === '' ? cause : `${cause} → ${consequences}`

interface HalvedNetwork extends Pick<AttentionNetwork, 'number' | 'name'> {
  /** Members without redundancy. */
  readonly members: number
}

/** Working networks that have lost one of their centres among these devices. */
export const listHalved = (
  lost: readonly Pick<AttentionMember, 'networks'>[],
  networks: readonly AttentionNetwork[],
): readonly HalvedNetwork[] => {
  const numbers = new Set(
    lost.flatMap((member) =>
      member.networks.flatMap(({ number, memberType }) => (memberType === 'center' ? [number] : [])),
    ),
  )
  return networks
    .filter(({ number, health }) => numbers.has(number) && health.state !== 'down' && health.single_center > 0)
    .map(({ number, name, health }) => ({ number, name, members: health.single_center }))
}

/** Networks that a lost centre interrupts, and those that lose redundancy, with the number of their members. */
export interface Consequences {
  readonly outages: readonly string[]
  readonly halved: readonly string[]
  readonly members: number
}

export const toConsequences = (
  outages: readonly { readonly name: string }[],
  halved: readonly { readonly name: string; readonly members: number }[],
): Consequences => ({
  outages: outages.map(({ name }) => name),
  halved: halved.map(({ name }) => name),
  members: halved.reduce((sum, { members }) => sum + members, 0),
})

/** Word for the outage of a network whose centres are suspected. */
export const OUTAGE_SUSPECTED = '疑似中断'

/** Consequences in words: 研发专网中断，另 2 个组网失去冗余（38 个成员）. */
export function outageText({ outages, halved, members }: Consequences, word = '中断'): string {
  const outage = outages.length > 2 ? `${outages.length} 个组网${word}` : `${outages.join('、')}${word}`
  const [only] = halved
  const which = outages.length === 0 && halved.length === 1 && only !== undefined ? only : `${halved.length} 个组网`
  const loss = `${which}失去冗余（${members} 个成员）`
  if (outages.length === 0) return halved.length === 0 ? '' : loss
  return halved.length === 0 ? outage : `${outage}，另 ${loss}`
}
