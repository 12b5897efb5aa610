import { describe, expect, it } from 'vitest'
import {
  type HubMember,
  type HubProjection,
  changesBetween,
  emptyProjection,
  hasPendingVerdicts,
  memberLinks,
  rebuild,
  resolvePending,
  toViews,
  unknownLinks,
  withMember,
  withReports,
} from '#durable/network-hub/projection.ts'
import { ProjectionStore } from '#durable/network-hub/storage.ts'
import { type PresenceState, linkView } from '#contract/kernel/protocol.ts'
import { LINK_DEBOUNCE_MS } from '#contract/kernel/hub-limits.ts'
import { NEVER_SEEN, noConfig } from '#domain/router/presence.ts'
import { FakeStorage } from './fake-storage.ts'

const T0 = 1_800_000_000_000
const presence = (state: PresenceState, since = T0) => ({ state, since, last_seen: since, reason: '' })
const member = (router_name: string, member_type: 'center' | 'point', state: PresenceState = 'online'): HubMember => ({
  router_hub: 'default.01',
  router_name,
  router_type: 1,
  member_type,
  presence: presence(state),
  config: noConfig,
})
const rows = [member('hub', 'center'), member('p1', 'point'), member('p2', 'point')]
/** Rebuilds the projection of a network that has no settings of links. */
const rebuildFrom = (before: HubProjection, members: readonly HubMember[], now: number) =>
  rebuild(before, { number: 'N1', isWithdrawn: false }, members, now, {
    centerLink: { enable: 0, server: null },
    pointLinks: [],
    ids: new Map(),
  })
const started = rebuildFrom(emptyProjection, rows, T0)
const change = (routerName: string, state: PresenceState, since = T0 + 1) => ({
  routerHub: 'default.01',
  routerName,
  presence: presence(state, since),
  config: noConfig,
})
const report = (routerName: string, id: string, up: boolean) => ({
  routerHub: 'default.01',
  routerName,
  links: [{ id, up, rttMs: 9 }],
})
const linked = ['p1', 'p2'].reduce(
  (p: HubProjection, name) =>
    withReports(withReports(p, report(name, `N1:${name}>hub`, true), T0), report('hub', `N1:${name}>hub`, true), T0),
  started,
)
const states = (p: HubProjection) => [...p.links.values()].map(({ id, state, reason }) => [id, state, reason])

it('the site of a member follows the address of its connection, and is kept from viewers', () => {
  const siteOf = (p: HubProjection) => p.members.get('p1')?.site
  const named = withMember(linked, { ...change('p1', 'online'), remoteHost: '203.0.113.7' }, T0 + 1)
  expect(siteOf(named)).toBe('203.0.113.7')
  expect(siteOf(withMember(named, change('p1', 'reconnecting', T0 + 2), T0 + 2))).toBe('203.0.113.7') // of the release before
  const moved = withMember(named, { ...change('p1', 'online'), remoteHost: '10.0.0.7' }, T0 + 3)
  expect(siteOf(moved)).toBeNull()
  expect(toViews([...named.members.values()], []).members[1]).not.toHaveProperty('site')
})

describe('reports of both ends', () => {
  const reportsOf = (p: HubProjection) =>
    toViews([], [...p.links.values()]).links.map(({ client_up, server_up }) => [client_up, server_up])

  it('reach viewers as codes, without what only the hub needs', () => {
    const one = withReports(linked, report('p1', 'N1:p1>hub', false), T0)
    expect(reportsOf(one)).toEqual([
      [false, true],
      [true, true],
    ])
    expect(Object.keys(toViews([], [...one.links.values()]).links[0]!).toSorted()).toEqual(
      Object.keys(linkView.omit({ kind: true, tunnel: true, remote: true }).shape).toSorted(), // of a point to a centre, probed
    )
  })

  it('are not known until an end has reported since its reconnect', () => {
    const back = withMember(
      withMember(linked, change('hub', 'offline'), T0 + 1),
      change('hub', 'online', T0 + 2),
      T0 + 2,
    )
    expect(reportsOf(back)).toEqual([
      [true, null],
      [true, null],
    ])
    expect(reportsOf(started)).toEqual([
      [null, null],
      [null, null],
    ])
  })
})

describe('two ends that disagree', () => {
  const link = 'N1:p1>hub'
  const down = withReports(withReports(started, report('p1', link, false), T0), report('hub', link, false), T0)
  const stateOf = (p: HubProjection) => p.links.get(link)?.state

  it('on a returning link are debounced', () => {
    const half = withReports(down, report('hub', link, true), T0 + 1_000)
    expect([stateOf(half), hasPendingVerdicts(half)]).toEqual(['down', true])
    const back = withReports(half, report('p1', link, true), T0 + 1_400)
    expect([stateOf(back), hasPendingVerdicts(back)]).toEqual(['up', false])
  })

  it('make it one-sided after that moment, and not before', () => {
    const half = withReports(down, report('hub', link, true), T0 + 1_000)
    expect(stateOf(resolvePending(half, T0 + 1_000 + LINK_DEBOUNCE_MS - 1))).toBe('down')
    const resolved = resolvePending(half, T0 + 1_000 + LINK_DEBOUNCE_MS)
    expect([stateOf(resolved), hasPendingVerdicts(resolved), resolved.links.get(link)?.since]).toEqual([
      'one_sided',
      false,
      T0 + 1_000 + LINK_DEBOUNCE_MS,
    ])
    expect(resolvePending(resolved, T0 + 9_000)).toBe(resolved)
  })

  it('make it one-sided at once where it was up', () => {
    expect(stateOf(withReports(linked, report('hub', link, false), T0 + 1))).toBe('one_sided')
  })
})

describe('projection of a network', () => {
  it('makes one unknown cause of an absent centre, and no red', () => {
    expect(states(linked)).toEqual([
      ['N1:p1>hub', 'up', ''],
      ['N1:p2>hub', 'up', ''],
    ])
    expect(states(withMember(linked, change('hub', 'offline'), T0 + 1))).toEqual([
      ['N1:p1>hub', 'unknown', '中心点离线'],
      ['N1:p2>hub', 'unknown', '中心点离线'],
    ])
  })

  it('has one unknown cause where an end is unreadable, and takes its reports anew afterwards', () => {
    const silent = withMember(linked, change('p1', 'unreadable', T0 + 9), T0 + 9)
    expect(states(silent)[0]).toEqual(['N1:p1>hub', 'unknown', '成员状态未知'])
    const back = withMember(silent, change('p1', 'online', T0), T0 + 10) // as it was: since before
    expect(states(withReports(back, report('p1', 'N1:p1>hub', true), T0 + 11))[0]).toEqual(['N1:p1>hub', 'up', ''])
  })

  it('keeps the reports of a link whose kind changes with the roles of its ends', () => {
    const settings = {
      centerLink: { enable: 1, server: 1 },
      pointLinks: [],
      ids: new Map([
        ['hub', 1],
        ['p1', 2],
        ['p2', 3],
      ]),
    } as const
    const promoted = [member('hub', 'center'), member('p1', 'center'), member('p2', 'point')]
    const twin = rebuild(linked, { number: 'N1', isWithdrawn: false }, promoted, T0 + 1, settings)
    expect(twin.links.get('N1:p1>hub')).toMatchObject({ kind: 'center', state: 'up', clientUp: true, serverUp: true })
    const back = rebuild(twin, { number: 'N1', isWithdrawn: false }, rows, T0 + 2, settings)
    expect(states(back)[0]).toEqual(['N1:p1>hub', 'up', ''])
    expect(back.links.get('N1:p1>hub')).not.toHaveProperty('kind')
  })

  it('clears the link reports of a disconnected device', () => {
    const gone = withMember(linked, change('p1', 'offline'), T0 + 1)
    const back = withMember(gone, change('p1', 'online', T0 + 2), T0 + 2)
    expect(states(back)[0]).toEqual(['N1:p1>hub', 'unknown', '等待设备上报'])
    expect(states(withReports(back, report('p1', 'N1:p1>hub', true), T0 + 3))[0]).toEqual(['N1:p1>hub', 'up', ''])
  })

  it('keeps a link through 重连中', () => {
    expect(states(withMember(linked, change('p1', 'reconnecting'), T0 + 1))[0]?.[1]).toBe('up')
  })

  it('ignores reports on links of other routers', () => {
    expect(withReports(linked, report('p1', 'N1:p2>hub', false), T0)).toBe(linked)
    expect(withReports(linked, report('stranger', 'N1:p2>hub', false), T0)).toBe(linked)
  })

  it('answers a repeat with the same object', () => {
    const once = withMember(linked, change('p1', 'offline'), T0 + 1)
    expect(withMember(once, change('p1', 'offline'), T0 + 9)).toBe(once)
    expect(withReports(linked, report('p1', 'N1:p1>hub', true), T0 + 9)).toBe(linked)
  })

  it('contains only changes', () => {
    const { members, links } = changesBetween(linked, withMember(linked, change('p1', 'offline'), T0 + 1))
    expect(members.map((m) => m.router_name)).toEqual(['p1'])
    expect(links.map((l) => l.id)).toEqual(['N1:p1>hub'])
  })

  it('keeps history over an edit, drops who left, and lets the newer state win', () => {
    const since = linked.links.get('N1:p1>hub')?.since
    const edited = rebuildFrom(
      linked,
      [rows[0]!, { ...rows[1]!, presence: presence('offline', T0 - 5) }, member('p3', 'point')],
      T0 + 50,
    )
    expect([...edited.members.keys()]).toEqual(['hub', 'p1', 'p3'])
    expect(edited.members.get('p1')?.presence.state).toBe('online')
    expect(edited.links.get('N1:p1>hub')).toMatchObject({ state: 'up', since })
    expect(edited.links.has('N1:p2>hub')).toBe(false)
    const newer = rebuildFrom(linked, [{ ...rows[1]!, presence: presence('offline', T0 + 5) }, rows[0]!], T0 + 50)
    expect(newer.members.get('p1')?.presence.state).toBe('offline')
  })
})

describe('a read of rows that have not changed', () => {
  it('gives the same objects', () => {
    const again = rebuildFrom(linked, structuredClone(rows), T0 + 50)
    for (const [name, known] of linked.members) expect(again.members.get(name)).toBe(known)
    for (const [id, known] of linked.links) expect(again.links.get(id)).toBe(known)
  })

  it('writes what moved only, and the order of the rows is kept', () => {
    const storage = new FakeStorage()
    const store = new ProjectionStore(storage.sql as unknown as SqlStorage)
    store.save(emptyProjection, linked)
    const written = (before: HubProjection, after: HubProjection) => {
      storage.writes.length = 0
      store.save(before, after)
      return storage.writes.length
    }
    expect(written(linked, rebuildFrom(linked, structuredClone(rows), T0 + 50))).toBe(0)
    const configured = { ...rows[1]!, config: { ...noConfig, state: 'applied', at: T0 } as const }
    const moved = rebuildFrom(linked, [rows[0]!, configured, rows[2]!], T0 + 50)
    expect(written(linked, moved)).toBe(1)
    const without = rebuildFrom(linked, [rows[0]!, rows[2]!], T0 + 60)
    expect(written(linked, without)).toBeGreaterThan(0)
    store.save(without, rebuildFrom(without, [rows[0]!, rows[2]!, member('a', 'point')], T0 + 70))
    expect([...store.load().members.keys()]).toEqual(['hub', 'p2', 'a'])
  })
})

describe('links between nodes', () => {
  const pop = (name: string): HubMember => ({ ...member(name, 'point'), member_type: 'pop' })
  const settings = {
    centerLink: { enable: 0, server: null } as const,
    pointLinks: [],
    ids: new Map(),
    nodes: [
      { routerName: 'n1', segmentIndex: 500 },
      { routerName: 'n2', segmentIndex: 499 },
    ],
  }
  const id = 'N1:n1>n2'
  const withNodes = [...rows, pop('n1'), pop('n2')]
  const built = rebuild(linked, { number: 'N1', isWithdrawn: false }, withNodes, T0, settings)

  it('are known by the reports of both nodes, and shown to nobody', () => {
    expect(unknownLinks(built, report('n1', id, true))).toEqual([])
    const up = ['n1', 'n2'].reduce((p: HubProjection, name) => withReports(p, report(name, id, true), T0), built)
    expect(up.links.get(id)).toMatchObject({ kind: 'backbone', state: 'up' })
    expect(toViews([], [...up.links.values()]).links.map((link) => link.id)).not.toContain(id)
    expect(memberLinks(up.links.values()).map((link) => link.id)).toEqual([...linked.links.keys()])
  })

  it('are none in a network that was withdrawn', () => {
    expect(rebuild(built, { number: 'N1', isWithdrawn: true }, withNodes, T0, settings).links.size).toBe(0)
  })
})

describe('a member that was deleted and claimed again under its name', () => {
  const renewed = rows.map((row) => (row.router_name === 'p1' ? { ...row, router_hub: 'default.02' } : row))
  const never = renewed.map((row) => (row.router_name === 'p1' ? { ...row, presence: NEVER_SEEN } : row))

  it('starts with its own state and new links', () => {
    const after = rebuildFrom(linked, never, T0 + 9)
    expect(after.members.get('p1')?.presence).toEqual(NEVER_SEEN)
    expect(after.links.get('N1:p1>hub')).toMatchObject({ state: 'never', clientUp: null, serverUp: null })
    expect(after.links.get('N1:p2>hub')).toBe(linked.links.get('N1:p2>hub'))
  })

  it('ignores what the hub of its predecessor still reports', () => {
    const after = rebuildFrom(linked, never, T0 + 9)
    expect(withMember(after, change('p1', 'online'), T0 + 10)).toBe(after)
    expect(withReports(after, report('p1', 'N1:p1>hub', true), T0 + 10)).toBe(after)
  })
})
