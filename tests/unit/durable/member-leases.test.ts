import { afterEach, describe, expect, it, vi } from 'vitest'
import { LEASE_ROUND, PRESENCE } from '#contract/kernel/hub-limits.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import type { LinkState, PresenceState } from '#contract/kernel/protocol.ts'
import { noConfig } from '#domain/router/presence.ts'
import { MemberLeases, nextRound } from '#durable/network-hub/member-leases.ts'
import type { HubLink, HubMember, HubProjection } from '#durable/network-hub/projection.ts'
import { FakeStorage } from './fake-storage.ts'

const member = (index: number, state: PresenceState): HubMember => ({
  router_hub: `hub ${index}`,
  router_name: `p${index}`,
  router_type: 1,
  member_type: index === 0 ? 'center' : 'point',
  presence: { state, since: 0, last_seen: 0, reason: '' },
  config: noConfig,
})
const toLink = (index: number, state: LinkState) =>
  ({ id: `p${index}>p0`, router_name: `p${index}`, center_router_name: 'p0', state }) as HubLink

/** A centre and points, every tenth of them away; the links of `faulty` are down. */
function createProjection(count: number, faulty: readonly number[] = []): HubProjection {
  const indexes = Array.from({ length: count }, (_, i) => i)
  const members = indexes.map((i) => member(i, i % 10 === 9 ? 'offline' : 'online'))
  const links = indexes.slice(1).map((i) => toLink(i, faulty.includes(i) ? 'down' : 'up'))
  return {
    members: new Map(members.map((one) => [one.router_name, one])),
    links: new Map(links.map((one) => [one.id, one])),
  }
}
const namesOf = ({ members }: Pick<ReturnType<typeof nextRound>, 'members'>) => members.map((one) => one.router_name)

describe('a round of lease checks', () => {
  it.each([1, 40, 120, 500, 2_000])(
    'of %i members: each present one has its turn within two minutes, in some rounds',
    (count) => {
      const projection = createProjection(count)
      const asked = new Map<string, number>()
      let last: string | undefined
      for (let n = 0; n < LEASE_ROUND.rounds; n++) {
        const round = nextRound(projection, last)
        expect(round.members.length).toBeLessThanOrEqual((LEASE_ROUND.perSecond * PRESENCE.watchedCheckMs) / 1_000)
        expect(new Set(namesOf(round)).size).toBe(round.members.length)
        for (const name of namesOf(round)) asked.set(name, (asked.get(name) ?? 0) + 1)
        last = round.last
      }
      const present = [...projection.members.values()].filter(({ presence }) => presence.state === 'online')
      expect([...asked.keys()].toSorted()).toEqual(present.map((one) => one.router_name).toSorted())
      const isSmall = present.length <= LEASE_ROUND.least
      expect(Math.min(...asked.values())).toBe(isSmall ? LEASE_ROUND.rounds : 1)
    },
  )

  it('begins with centres and the ends of faulty links, in every round', () => {
    const projection = createProjection(1_000, [700, 800])
    const first = nextRound(projection, undefined)
    expect(namesOf(first).slice(0, 3)).toEqual(['p0', 'p700', 'p800'])
    expect(namesOf(nextRound(projection, first.last)).slice(0, 3)).toEqual(['p0', 'p700', 'p800'])
  })

  it('begins with the members of the page that is shown, before centres; those away and strangers have no lease', () => {
    const visible = ['p901', 'p902', 'p909', 'nobody']
    const round = nextRound(createProjection(1_000, [700]), undefined, visible)
    expect(namesOf(round).slice(0, 4)).toEqual(['p901', 'p902', 'p0', 'p700'])
    expect(new Set(namesOf(round)).size).toBe(round.members.length)
  })

  it('of 2,000 members with a page of a hundred shown keeps its rate, and everybody has a turn in two minutes', () => {
    const projection = createProjection(
      2_000,
      Array.from({ length: 300 }, (_, i) => 1_600 + i),
    )
    const visible = Array.from({ length: LEASE_ROUND.visible }, (_, i) => `p${500 + i}`)
    const asked = new Set<string>()
    let last: string | undefined
    for (let n = 0; n < LEASE_ROUND.rounds; n++) {
      const round = nextRound(projection, last, visible)
      expect(round.members.length).toBeLessThanOrEqual((LEASE_ROUND.perSecond * PRESENCE.watchedCheckMs) / 1_000)
      for (const name of namesOf(round)) asked.add(name)
      last = round.last
    }
    expect(asked.size).toBe(1_800)
  })

  it('goes on behind a member that has left', () => {
    expect(nextRound(createProjection(10), 'gone').members).toHaveLength(9)
  })
})

describe('the checks of a round', () => {
  afterEach(() => void vi.useRealTimers())

  it('begin with the newest page that a viewer shows, then that of another viewer, until nobody shows any', async () => {
    vi.useFakeTimers()
    const asked: string[] = []
    const router = (hub: string) => ({ checkLease: async () => void asked.push(hub.slice(4)) })
    const leases = new MemberLeases({
      storage: new FakeStorage() as never,
      hubs: { router } as unknown as Hubs,
      accountHub: () => undefined,
      projection: () => createProjection(1_000),
    })
    const firstOf = async () => {
      asked.length = 0
      const round = leases.checkNext()
      await vi.advanceTimersByTimeAsync(PRESENCE.watchedCheckMs)
      await round
      return asked.slice(0, 3)
    }
    leases.show(['p801'])
    leases.show(['p802'])
    expect((await firstOf()).toSorted()).toEqual(['0', '801', '802'])
    leases.show(Array.from({ length: LEASE_ROUND.visible }, (_, i) => `p${600 + i}`))
    expect(await firstOf()).toEqual(['600', '601', '602'])
    leases.showNone()
    expect((await firstOf())[0]).toBe('0')
  })

  it('are at most twenty a second, however many members are present, and one round at a time', async () => {
    vi.useFakeTimers()
    const asked: number[] = []
    const router = () => ({ checkLease: async () => void asked.push(Date.now()) })
    const leases = new MemberLeases({
      storage: new FakeStorage() as never,
      hubs: { router } as unknown as Hubs,
      accountHub: () => undefined,
      projection: () => createProjection(2_000),
    })
    const start = Date.now()
    const round = leases.checkNext()
    await leases.checkNext() // ends at once
    await vi.advanceTimersByTimeAsync(PRESENCE.watchedCheckMs)
    await round
    const perSecond = Map.groupBy(asked, (at) => Math.floor((at - start) / 1_000))
    expect(Math.max(...[...perSecond.values()].map((times) => times.length))).toBe(LEASE_ROUND.perSecond)
    expect(asked.length).toBeGreaterThanOrEqual(1_800 / LEASE_ROUND.rounds)
  })
})
