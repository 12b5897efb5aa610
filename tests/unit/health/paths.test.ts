import { describe, expect, it } from 'vitest'
import type { LinkState, PresenceState } from '#contract/kernel/protocol.ts'
import { findPaths, sumPaths } from '#domain/health/paths.ts'

const link = (router_name: string, center_router_name: string, state: LinkState) => ({
  router_name,
  center_router_name,
  state,
})
const find = (links: ReturnType<typeof link>[], away: Readonly<Record<string, PresenceState>> = {}) =>
  Object.fromEntries(findPaths(links, (name) => away[name] ?? 'online'))

describe('paths of members', () => {
  it('count what both ends have opened, and what of it is up', () => {
    const links = [link('p1', 'c1', 'up'), link('p1', 'c2', 'up'), link('p2', 'c1', 'up'), link('p2', 'c2', 'never')]
    expect(find(links)).toEqual({
      c1: { up: 2, unknown: 0, total: 2, single_center: 0 },
      c2: { up: 1, unknown: 0, total: 1, single_center: 0 },
      p1: { up: 2, unknown: 0, total: 2, single_center: 0 },
      p2: { up: 1, unknown: 0, total: 1, single_center: 0 },
    })
  })

  it('单中心 is a state of points, also where the other centre is away', () => {
    const links = [
      link('p1', 'c1', 'up'),
      link('p1', 'c2', 'unknown'),
      link('p2', 'c1', 'up'),
      link('p2', 'c2', 'down'),
    ]
    const found = find(links, { c2: 'offline' })
    expect(found['p1']).toEqual({ up: 1, unknown: 1, total: 2, single_center: 1 })
    expect(found['p2']).toEqual({ up: 1, unknown: 0, total: 2, single_center: 1 })
    expect(found['c2']).toEqual({ up: 0, unknown: 1, total: 2, single_center: 0 })
  })

  it('links between centres or others count for both ends, those to POP nodes for the member; none decides 单中心', () => {
    const twin = { ...link('c2', 'c1', 'down'), kind: 'center' as const }
    const pop = { ...link('p1', 'n1', 'unknown'), kind: 'pop' as const }
    expect(find([link('p1', 'c1', 'up'), twin, pop])).toEqual({
      c1: { up: 1, unknown: 0, total: 2, single_center: 0 },
      c2: { up: 0, unknown: 0, total: 1, single_center: 0 },
      p1: { up: 1, unknown: 1, total: 2, single_center: 0 },
    })
    const pairs = [link('p1', 'p2', 'up'), link('p1', 'p3', 'down')].map((one) => ({ ...one, kind: 'point' as const }))
    expect(find(pairs)).toMatchObject({
      p1: { up: 1, unknown: 0, total: 2, single_center: 0 },
      p2: { up: 1 },
      p3: { up: 0, unknown: 0, total: 1 },
    })
  })

  it('over several networks add up; 单中心 in one of them is 单中心', () => {
    const single = { up: 1, unknown: 0, total: 2, single_center: 1 } as const
    const whole = { up: 2, unknown: 0, total: 2, single_center: 0 } as const
    expect(sumPaths([single, whole])).toEqual({ up: 3, unknown: 0, total: 4, single_center: 1 })
    expect(sumPaths([{ up: 1, total: 2, single_center: 0 }]).unknown).toBe(0) // of a hub of the release before
    expect(sumPaths([])).toEqual({ up: 0, unknown: 0, total: 0, single_center: 0 })
  })
})
