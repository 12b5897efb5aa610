import { createHash } from 'node:crypto'
import type { ClientHistory, PastDial } from '#contract/local/history.ts'
import { DIAL_ENDED } from '#contract/kernel/states.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { TENANTS } from '../data.ts'
import { RESEARCH } from '../networks.ts'
import type { Story } from './story.ts'

/* Past dials of the demo's software members in office hours, and their presence that follows. Pure. */

/** Member that dials into one of these devices. */
interface Caller {
  readonly network: string
  readonly name: string
  readonly servers: readonly string[]
}

/** Members of the network with POP access dial the node of their area (pop.ts). */
const POP_CALLERS: readonly Caller[] = [
  { network: RESEARCH.name, name: 'liu.yang@qiming', servers: ['NLPOPSH01'] },
  { network: RESEARCH.name, name: 'zhou.min@qiming', servers: ['NLPOPGZ01'] },
]

function listCallers(): readonly Caller[] {
  const ofCentres = TENANTS.flatMap(({ sign, networks, software }) => {
    const enabled = software.filter(({ isDisabled }) => !isDisabled).map(({ username }) => `${username}@${sign}`)
    return networks
      .filter((network) => network !== RESEARCH && network.center.length > 0)
      .flatMap(({ name: network, center: servers, point }) =>
        point.filter((name) => enabled.includes(name)).map((name) => ({ network, name, servers })),
      )
  })
  return [...ofCentres, ...POP_CALLERS]
}

/** Sessions of a day: start, spread of the start, shortest and longest stay in hours of the day; share of days with one. */
const SESSIONS = [
  { at: 8.6, spread: 0.8, least: 1.8, most: 3.2, share: 0.9 },
  { at: 13.4, spread: 0.8, least: 2.2, most: 4.3, share: 0.9 },
  { at: 20.2, spread: 1.2, least: 0.4, most: 1.5, share: 0.35 },
] as const
const WEEKEND_SHARE = 0.4
const BYTES_PER_SECOND = 20_000
/** A dial that is over has been over for so long. */
const SETTLED_MS = 2 * MINUTE_MS

/** Dials by the serial of the device that was dialled. @param numbers numbers of the networks by name */
export function createDials(
  { from, now }: Pick<Story, 'from' | 'now'>,
  numbers: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly PastDial[]> {
  const dials = listCallers().flatMap((caller) => {
    const number = numbers.get(caller.network)
    return number === undefined ? [] : daysOf(from, now).flatMap((day) => dialsOfDay(caller, number, day))
  })
  const within = dials.filter(({ dial }) => dial.start_at >= from && dial.end_at <= now - SETTLED_MS)
  return new Map(
    [...Map.groupBy(within, ({ server }) => server)].map(([server, own]) => [server, own.map(({ dial }) => dial)]),
  )
}

const daysOf = (from: number, now: number): readonly number[] => {
  const dayOf = (at: number) => Math.floor((at + SHANGHAI_OFFSET_MS) / DAY_MS)
  return Array.from({ length: dayOf(now) - dayOf(from) + 1 }, (_, i) => dayOf(from) + i)
}

function dialsOfDay({ network, name, servers }: Caller, number: string, day: number) {
  const weekday = (day + 4) % 7 // 1970-01-01 was a Thursday
  const share = weekday === 0 || weekday === 6 ? WEEKEND_SHARE : 1
  return SESSIONS.flatMap((session, i) => {
    const digest = createHash('sha256').update(`${network} ${name} ${day} ${i}`).digest()
    const random = (place: number) => digest.readUInt32BE(place * 4) / 2 ** 32
    if (random(0) >= session.share * share) return []
    const startAt = day * DAY_MS - SHANGHAI_OFFSET_MS + (session.at + random(1) * session.spread) * HOUR_MS
    const stayMs = (session.least + random(2) * (session.most - session.least)) * HOUR_MS
    const tx = Math.round((stayMs / 1000) * BYTES_PER_SECOND * (0.4 + 0.6 * random(3)))
    const dial: PastDial = {
      key: digest.toString('base64url').slice(0, 22),
      network_number: number,
      name,
      remote: `198.51.100.${1 + ((digest[20] ?? 0) % 250)}`,
      start_at: Math.round(startAt),
      end_at: Math.round(startAt + stayMs),
      rx: Math.round(tx / 4),
      tx,
    }
    return [{ server: servers[(digest[21] ?? 0) % servers.length] ?? '', dial }]
  })
}

/** A member is online while one of its dials is open. */
export function toClientHistory(dials: readonly PastDial[]): ClientHistory {
  const byName = Map.groupBy(dials, ({ name }) => name)
  return Object.fromEntries(
    [...byName].map(([name, own]) => [
      name,
      mergeTimes(own).flatMap(({ start_at, end_at }) => [
        { from: 'offline' as const, to: 'online' as const, at: start_at, reason: '' },
        { from: 'online' as const, to: 'offline' as const, at: end_at, reason: DIAL_ENDED },
      ]),
    ]),
  )
}

type Times = Pick<PastDial, 'start_at' | 'end_at'>

function mergeTimes(dials: readonly Times[]): readonly Times[] {
  const merged: Times[] = []
  for (const { start_at, end_at } of dials.toSorted((a, b) => a.start_at - b.start_at)) {
    const last = merged.at(-1)
    if (last && start_at <= last.end_at) merged[merged.length - 1] = { ...last, end_at: Math.max(last.end_at, end_at) }
    else merged.push({ start_at, end_at })
  }
  return merged
}
