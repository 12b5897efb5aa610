import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import {
  checkAssign,
  type MemberOption,
  isSamePlan,
  NO_PLAN,
  type PickerQuota,
  unassign,
  type Plan,
  rebase,
  membersAfter,
  sizeOf,
  assign,
} from '#pages/network/plan/picker/member-plan.ts'
import { checkPlan } from '#pages/network/plan/check-plan.ts'
import { inNetwork, option } from './option.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const choice = (name: string, more: Partial<MemberOption> = {}): [string, MemberOption] => [name, option(name, more)]
const eight = Array.from({ length: NETWORK.perRouter }, (_, n) => `N${n}`)
const known = new Map([
  ...['h1', 'h2', 'h3', 'h4', 'h5'].map((name) => choice(name)),
  choice('s1', { routerType: 2 }),
  choice('busy', { networks: eight.map((number) => inNetwork(number)), note: '总部' }),
])
const ample: PickerQuota = { members: 10, membersUsed: 0, centers: 2, isSuspended: false }
const plan = (center: string[], point: string[] = []): Plan => ({ center, point })
const refusal = (input: Partial<Parameters<typeof checkAssign>[0]>, names: string[], role: 'center' | 'point') => {
  const refused = checkAssign(
    { networkNumber: '', networkType: 1, base: NO_PLAN, plan: NO_PLAN, known, quota: ample, ...input },
    names,
    role,
  )
  return refused && toMessage(refused)
}

describe('placing members', () => {
  it('each member is placed or refused with its reason', async () => {
    const offenders = await findOffenders<
      [string, Partial<Parameters<typeof checkAssign>[0]>, string[], 'center' | 'point', string | null]
    >([
      ['a centre', {}, ['h1'], 'center', null],
      ['points before any centre', {}, ['h1', 'h2'], 'point', null],
      ['software as a centre', {}, ['h1', 's1'], 'center', '软件成员不允许添加至中心点，请选择硬件成员添加！'],
      ['software as a point', {}, ['s1'], 'point', null],
      ['one centre too many', { plan: plan(['h1', 'h2']) }, ['h3'], 'center', '中心点仅支持2个'],
      ['two centres at once, one too many', { plan: plan(['h1']) }, ['h2', 'h3'], 'center', '中心点仅支持2个'],
      ['a point made a third centre', { plan: plan(['h1', 'h2'], ['h3']) }, ['h3'], 'center', '中心点仅支持2个'],
      ['the last member of the quota', { quota: { ...ample, membersUsed: 9 } }, ['h1'], 'point', null],
      [
        'one member above the quota',
        { quota: { ...ample, membersUsed: 9 } },
        ['h1', 'h2'],
        'point',
        '最多支持10个成员，如需使用更多成员数请升级！',
      ],
      [
        'a role change uses no quota',
        { base: plan(['h1'], ['h2']), plan: plan(['h1'], ['h2']), quota: { ...ample, membersUsed: 10 } },
        ['h2'],
        'center',
        null,
      ],
      [
        'a removed member can return while the quota is used up',
        { base: plan(['h1'], ['h2']), plan: plan(['h1']), quota: { ...ample, membersUsed: 12 } },
        ['h2'],
        'point',
        null,
      ],
      ['a member of too many networks', {}, ['busy'], 'point', '成员“总部”加入的组网已达上限8个'],
      ['... unless it is in this one already', { base: plan([], ['busy']), plan: NO_PLAN }, ['busy'], 'center', null],
      [
        'anything new in a suspended network',
        { quota: { ...ample, isSuspended: true } },
        ['h1'],
        'point',
        '成员配额不足，组网已停用，请续费或移除多余成员',
      ],
      [
        'back where it was in a suspended network',
        { base: plan(['h1'], ['h2']), plan: plan(['h1']), quota: { ...ample, isSuspended: true } },
        ['h2'],
        'point',
        null,
      ],
    ])((_name, input, names, role, expected) => {
      expect(refusal(input, names, role)).toBe(expected)
    })
    expect(offenders).toEqual([])
  })
})

describe('saving a plan', () => {
  const check = (wanted: Plan, base: Plan = NO_PLAN, quota = ample) => {
    const refused = checkPlan({ networkNumber: '', networkType: 1, base, plan: wanted, known, quota })
    return refused && toMessage(refused)
  }
  it.each([
    [NO_PLAN, '请选择网络成员'],
    [plan([], ['h1']), '请至少选择一个中心点'],
    [plan(['h1'], ['h2', 's1']), null],
    [plan(['s1']), '软件成员不允许添加至中心点，请选择硬件成员添加！'],
  ])('%j', (wanted, expected) => {
    expect(check(wanted)).toBe(expected)
  })
  it('lets an account over its quota remove', () => {
    expect(check(plan(['h1']), plan(['h1'], ['h2', 'h3']), { ...ample, members: 1, membersUsed: 3 })).toBeNull()
  })
})

const planArbitrary = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }).chain((names) =>
  fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }).map((isCenter) => ({
    center: names.filter((_, index) => isCenter[index]),
    point: names.filter((_, index) => !isCenter[index]),
  })),
)

describe('plans', () => {
  it('never hold a member twice', () => {
    fc.assert(
      fc.property(
        planArbitrary,
        fc.subarray(['a', 'b', 'c', 'x']),
        fc.constantFrom('center' as const, 'point' as const),
        (p, names, role) => {
          const next = assign(p, names, role)
          const all = [...next.center, ...next.point]
          expect(new Set(all).size).toBe(all.length)
          expect(new Set(all)).toEqual(new Set([...p.center, ...p.point, ...names]))
          expect(sizeOf(unassign(next, all))).toBe(0)
        },
      ),
    )
  })

  it('counts the quota in use', () => {
    expect(membersAfter(plan(['h1'], ['h2']), plan(['h1']), { ...ample, membersUsed: 7 })).toBe(6)
  })

  it('rebased without own changes is the latest, and on an unchanged network is the plan', () => {
    fc.assert(
      fc.property(planArbitrary, planArbitrary, (base, other) => {
        expect(isSamePlan(rebase(base, base, other), other)).toBe(true)
        expect(isSamePlan(rebase(base, other, base), other)).toBe(true)
      }),
    )
  })

  it('keeps members added by others, and own removals', () => {
    const merged = rebase(plan(['a'], ['b', 'c']), plan(['a', 'b']), plan(['a'], ['b', 'c', 'new']))
    expect(merged).toEqual({ center: ['a', 'b'], point: ['new'] })
  })
})
