import { describe, expect, it } from 'vitest'
import {
  type HubMember,
  type HubProjection,
  emptyProjection,
  memberLinks,
  rebuild,
  resolvePending,
  withMember,
  withReports,
} from '#durable/network-hub/projection.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { EMPTY_INBOX } from '#domain/health/inbox.ts'
import { listAttention } from '#domain/health/attention.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { noConfig } from '#domain/router/presence.ts'

const T0 = 1_800_000_000_000
const SECOND = 1_000
const NETWORKS = {
  全国门店收银网: { centers: ['a', 'b'], points: 33 },
  办公网: { centers: ['a', 'b'], points: 5 },
  研发专网: { centers: ['b'], points: 3 },
} as const
type Name = keyof typeof NETWORKS
const NAMES = Object.keys(NETWORKS) as readonly Name[]

const pointsOf = (name: Name) => Array.from({ length: NETWORKS[name].points }, (_, n) => `${name}${n}`)
const ALL = ['a', 'b', ...NAMES.flatMap(pointsOf)]
/** Devices behind one public address. */
const SITE = pointsOf('全国门店收银网').slice(0, 3)
const hostOf = (name: string) => (SITE.includes(name) ? '203.0.113.7' : null)
const hubMember = (router_name: string, member_type: 'center' | 'point'): HubMember => ({
  router_hub: 'default.01',
  router_name,
  router_type: 1,
  member_type,
  presence: { state: 'online', since: T0 - 86_400_000, last_seen: T0, reason: '' },
  config: noConfig,
  site: hostOf(router_name),
})

/** Three networks whose links are all up at the beginning. */
class Fleet {
  private readonly networks = new Map<Name, HubProjection>()
  private readonly presence = new Map(ALL.map((name) => [name, hubMember(name, 'point').presence]))

  constructor() {
    for (const name of NAMES) {
      const rows = [
        ...NETWORKS[name].centers.map((center) => hubMember(center, 'center')),
        ...pointsOf(name).map((point) => hubMember(point, 'point')),
      ]
      const settings = {
        centerLink: { enable: 0 as const, server: null },
        pointLinks: [],
        ids: new Map<string, number>(),
      }
      this.networks.set(name, rebuild(emptyProjection, { number: name, isWithdrawn: false }, rows, T0, settings))
    }
    for (const name of ALL) this.report(name, T0, () => true)
  }

  /** A device reports all of its links. */
  report(routerName: string, now: number, isUp: (peer: string) => boolean): void {
    for (const [name, projection] of this.networks) {
      const links = [...projection.links.values()].flatMap(({ id, router_name, center_router_name }) => {
        if (router_name !== routerName && center_router_name !== routerName) return []
        const peer = router_name === routerName ? center_router_name : router_name
        return [{ id, up: isUp(peer), rttMs: 9 }]
      })
      this.networks.set(name, withReports(projection, { routerHub: 'default.01', routerName, links }, now))
    }
  }

  setPresence(routerName: string, state: PresenceState, now: number, lastSeen = now): void {
    const presence = { state, since: now, last_seen: lastSeen, reason: '' }
    this.presence.set(routerName, presence)
    const change = { routerHub: 'default.01', routerName, presence, config: noConfig }
    for (const [name, projection] of this.networks) this.networks.set(name, withMember(projection, change, now))
  }

  rows(now: number): readonly AttentionRow[] {
    const networks = NAMES.map((name) => {
      const projection = resolvePending(this.networks.get(name)!, now)
      this.networks.set(name, projection)
      const summary = evaluateNetwork([...projection.members.values()], memberLinks(projection.links.values()))
      return {
        number: name,
        name,
        isSuspended: false,
        suspendedAt: null,
        isWithdrawn: false,
        overlaps: [],
        areas: new Map(),
        pop: null,
        ...summary,
      }
    })
    const members = ALL.map((routerName) => ({
      routerName,
      label: routerName,
      routerType: 1 as const,
      presence: this.presence.get(routerName)!,
      config: noConfig,
      remoteHost: hostOf(routerName),
      unsupported: [],
      networks: NAMES.flatMap((number) => {
        const isCenter = (NETWORKS[number].centers as readonly string[]).includes(routerName)
        if (!isCenter && !pointsOf(number).includes(routerName)) return []
        return [{ number, memberType: isCenter ? ('center' as const) : ('point' as const) }]
      }),
    }))
    return listAttention({ members, networks, services: [], quotas: [], inbox: EMPTY_INBOX }, now)
  }
}

/** Second within the probe interval in which a device notices that its peer is silent. */
const phaseOf = (name: string) => 15 + (ALL.indexOf(name) % 6)
const peers = ALL.filter((name) => name !== 'a' && name !== 'b')

/** Runs each second of an outage of these devices, whose leases end `spreadS` apart and who are back after `back` seconds. */
function sample(dead: readonly string[], { leaseEnds = 75, spreadS = 0, back = 120, until = 140 } = {}) {
  const fleet = new Fleet()
  const samples = new Map<number, readonly string[]>()
  const advanceDead = (at: number, now: number) => {
    for (const [n, name] of dead.entries()) {
      if (at === leaseEnds + n * spreadS) fleet.setPresence(name, 'offline', now, T0)
      if (at === back) fleet.setPresence(name, 'online', now)
      if (at === back + 3) fleet.report(name, now, () => true)
    }
  }
  for (let at = 0; at <= until; at++) {
    const now = T0 + at * SECOND
    advanceDead(at, now)
    for (const name of ALL.filter((one) => !dead.includes(one)))
      if (at >= phaseOf(name) && (at - phaseOf(name)) % 5 === 0)
        fleet.report(name, now, (peer) => !(dead.includes(peer) && at < back))
    samples.set(
      at,
      fleet.rows(now).map(({ name, cause }) => `${name} – ${cause}`),
    )
  }
  return samples
}

describe('an outage, sampled each second: at most two rows for a dead object', () => {
  it('a frozen centre is named as suspected within ten seconds of its peers’ probes, then by its presence', () => {
    const samples = sample(['b'])
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(2)
    expect(samples.get(14)).toEqual([])
    expect(samples.get(25)).toEqual([
      'b – 疑似失联：41 条链路同时单边 → 研发专网疑似中断，另 2 个组网失去冗余（38 个成员）',
    ])
    expect(samples.get(76)).toEqual(['b – 离线 → 研发专网中断，另 2 个组网失去冗余（38 个成员）'])
    expect(samples.get(140)).toEqual([])
  })

  it('both centres frozen, and both back', () => {
    const samples = sample(['a', 'b'])
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(4)
    expect(samples.get(25)).toEqual(['a、b – 疑似失联：79 条链路同时单边 → 3 个组网疑似中断'])
    expect(samples.get(76)).toEqual(['a、b – 离线 → 3 个组网中断'])
    expect(samples.get(140)).toEqual([])
  })

  it('a frozen point has a row for each of its two links, then one', () => {
    const samples = sample([peers[0]!])
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(2)
    expect(samples.get(76)).toEqual([`${peers[0]} – 设备离线`])
    expect(samples.get(140)).toEqual([])
  })

  it('devices behind one public address are one row, before presence decides one by one, and after', () => {
    const samples = sample(SITE, { spreadS: 8 })
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(2)
    expect(samples.get(25)).toEqual(['3 台硬件 – 疑似失联，都在公网地址 203.0.113.7 之后：6 条链路同时单边'])
    for (const at of [76, 84])
      expect(samples.get(at)).toEqual([
        `3 台硬件 – 疑似失联，都在公网地址 203.0.113.7 之后：${at === 76 ? 4 : 2} 条链路同时单边`,
      ])
    expect(samples.get(92)).toEqual(['3 台硬件 – 同时离线，都在公网地址 203.0.113.7 之后，可能是该处断电或出口线路'])
    expect(samples.get(140)).toEqual([])
  })

  it('a centre that is killed is decided before its peers’ probes fail', () => {
    const samples = sample(['b'], { leaseEnds: 15 })
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(2)
    expect(samples.get(16)).toEqual(['b – 离线 → 研发专网中断，另 2 个组网失去冗余（38 个成员）'])
  })

  it('the whole fleet is one row', () => {
    const samples = sample(ALL)
    expect(samples.get(76)).toEqual(['43 台硬件 – 在 1 秒内同时离线，可能是服务端或出口线路 → 3 个组网中断'])
    expect(Math.max(...[...samples.values()].map((rows) => rows.length))).toBeLessThanOrEqual(1)
  })
})
