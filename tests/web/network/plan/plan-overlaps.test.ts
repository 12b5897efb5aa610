import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { NO_PLAN, type MemberOption, type PickerState, type Plan } from '#pages/network/plan/picker/member-plan.ts'
import { findPlanOverlaps, isMovable, overlapRowText } from '#pages/network/plan/plan-overlaps.ts'
import type * as overlap from '#domain/network/addresses/overlap.ts'
import { checkPlan } from '#pages/network/plan/check-plan.ts'
import { inNetwork, option, toKnown } from './option.ts'

/** Reads of properties of a located segment: the steps of the search for overlaps. */
const steps = vi.hoisted(() => ({ count: 0 }))
vi.mock('#domain/network/addresses/overlap.ts', async (original) => {
  const actual = await original<typeof overlap>()
  const get = (target: object, key: PropertyKey) => {
    steps.count++
    return Reflect.get(target, key) as unknown
  }
  return {
    ...actual,
    locate: (...args: Parameters<typeof actual.locate>) => actual.locate(...args).map((one) => new Proxy(one, { get })),
  }
})

const quota = { members: 99, membersUsed: 0, centers: 9, isSuspended: false }
const plan = (center: string[], point: string[] = []): Plan => ({ center, point })
const stateOf = (options: readonly MemberOption[], wanted: Plan, base = NO_PLAN): PickerState => ({
  networkNumber: 'N1',
  networkType: 1,
  base,
  plan: wanted,
  known: toKnown(...options),
  quota,
})
/** Texts of the rows, by router_name. */
const texts = (state: PickerState) => {
  const { rows, toFree } = findPlanOverlaps(state)
  return Object.fromEntries(
    [...rows].map(([name, overlap]) => {
      const own = state.known.get(name)!
      return [name, overlapRowText(overlap, own, isMovable(overlap, own) ? toFree(overlap.own.segment) : null)]
    }),
  )
}

describe('overlaps of a plan', () => {
  const hub = option('h', { note: '总部' })
  const [one, two] = [
    option('a', { note: '一店', lan: ['192.168.1.0/24'] }),
    option('b', { note: '二店', lan: ['192.168.1.0/25'] }),
  ]

  it('names both owners and a free segment, at both rows', () => {
    const state = stateOf([hub, one, two], plan(['h'], ['a', 'b']))
    expect(texts(state)).toEqual({
      a: '网段 192.168.1.0/24 与二店（192.168.1.0/25）重叠，可改用 10.1.0.0/24',
      b: '网段 192.168.1.0/25 与一店（192.168.1.0/24）重叠，可改用 10.1.0.0/25',
    })
    expect(findPlanOverlaps(state).brought).toBe(2)
  })

  it('proposes nothing for what a carrier gives, and the LAN beside it moves', () => {
    const wan = option('w', { note: '三店', wan: ['192.168.1.7/24'] })
    expect(texts(stateOf([hub, one, wan], plan(['h'], ['a', 'w'])))).toEqual({
      a: '网段 192.168.1.0/24 与三店（192.168.1.0/24）重叠，可改用 10.1.0.0/24',
      w: 'WAN 网段 192.168.1.0/24 与一店（192.168.1.0/24）重叠',
    })
  })

  it('counts default segments of the present centres', () => {
    const center = option('h', { note: '总部', networks: [inNetwork('N1', 1)] })
    const inside = option('x', { note: '冲突', lan: ['100.64.32.8/29'] })
    expect(texts(stateOf([center, inside], plan(['h'], ['x']), plan(['h'])))).toEqual({
      h: '中心点网段 100.64.32.0/20 与冲突（100.64.32.8/29）重叠',
      x: '网段 100.64.32.8/29 与总部（100.64.32.0/20）重叠，可改用 10.1.0.0/29',
    })
  })

  it('looks into the other networks of a member, and names who brings them along', () => {
    const shared = option('s', { note: '共用', networks: [inNetwork('N2')] })
    const far = option('f', { note: '远店', lan: ['192.168.1.0/24'], networks: [inNetwork('N2')] })
    const state = stateOf([hub, one, shared, far], plan(['h'], ['a', 's']), plan(['h'], ['a']))
    expect(texts(state)).toEqual({
      a: '网段 192.168.1.0/24 与组网“组网N2”的远店（192.168.1.0/24）重叠，可改用 10.1.0.0/24',
      s: '组网“组网N2”的远店（192.168.1.0/24）与一店（192.168.1.0/24）重叠',
    })
    expect(texts({ ...state, plan: plan(['h'], ['a']) })).toEqual({})
  })

  it('shows an overlap that stood before without counting it', () => {
    const base = plan(['h'], ['a', 'b'])
    const more = option('c', { lan: ['10.0.0.0/24'] })
    const state = stateOf([hub, one, two, more], plan(['h'], ['a', 'b', 'c']), base)
    expect(Object.keys(texts(state)).toSorted()).toEqual(['a', 'b'])
    expect(findPlanOverlaps(state).brought).toBe(0)
    expect(checkPlan(state)).toBeNull()
  })

  it('shows before a member is chosen what it would overlap with', () => {
    const { preview } = findPlanOverlaps(stateOf([hub, one, two], plan(['h'], ['a'])))
    expect(preview(two)?.other.label).toBe('一店')
    expect(preview(option('d', { lan: ['10.0.0.0/8'] }))).toBeNull()
  })

  it('brings some exactly when the plan is refused for it', () => {
    const segment = fc.constantFrom('10.0.0.0/24', '10.0.0.0/16', '10.0.1.0/24', '10.2.0.0/24')
    const kind = fc.constantFrom<'' | 'lan' | 'wan'>('', 'lan', 'wan')
    const role = fc.constantFrom('', 'center', 'point')
    const member = fc.tuple(segment, kind, role, role, fc.subarray(['N2', 'N3']))
    fc.assert(
      fc.property(fc.array(member, { minLength: 2, maxLength: 7 }), (rows) => {
        const options = rows.map(([text, where, , , others], n) =>
          option(`R${n}`, {
            lan: where === 'lan' ? [text] : [],
            wan: where === 'wan' ? [text] : [],
            networks: others.map((number) => inNetwork(number)),
          }),
        )
        const named = (column: 2 | 3, wanted: string) =>
          rows.flatMap((row, n) => (row[column] === wanted ? [`R${n}`] : []))
        const toPlan = (column: 2 | 3) => plan(['hub', ...named(column, 'center')], named(column, 'point'))
        const state = stateOf([option('hub'), ...options], toPlan(2), toPlan(3))
        const isRefused = checkPlan(state)?.key === 'SEGMENT_CONFLICT'
        expect(findPlanOverlaps(state).brought > 0).toBe(isRefused)
      }),
      { numRuns: 500 },
    )
  })

  it('takes steps in proportion to 2,000 candidates, half of them chosen, on the same default LAN', () => {
    const options = Array.from({ length: 2_000 }, (_, n) =>
      option(`R${n}`, { lan: [n % 2 === 0 ? `10.${n >> 8}.${n & 255}.0/24` : '192.168.1.0/24'] }),
    )
    const chosen = options.filter((_, n) => n % 4 < 2).map(({ router_name }) => router_name)
    steps.count = 0
    const { preview } = findPlanOverlaps(stateOf(options, plan([chosen[0]!], chosen.slice(1))))
    expect(steps.count).toBeLessThan(chosen.length * 100)
    steps.count = 0
    preview(options[2]!) // overlaps with none
    expect(steps.count).toBeLessThan(chosen.length * 10)
  })
})
