import { describe, expect, it } from 'vitest'
import { FIRST_STEPS, type FirstStep, type FirstStepState } from '#contract/overview/index.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { toRemainingSteps, toShownSteps } from '#pages/dashboard/cards/first-steps.ts'

const MAIN: Grants = { kind: 'main', flags: [], networks: null }
const steps = (...open: readonly FirstStep[]): FirstStepState[] =>
  FIRST_STEPS.map((step) => ({ step, state: open.includes(step) ? 'open' : 'done' }))

describe('first steps', () => {
  it('lead to where each is done', () => {
    expect(
      toShownSteps(steps(...FIRST_STEPS), MAIN).map(({ title, action }) => [title, action?.label, action?.to]),
    ).toEqual([
      ['开通服务', '联系服务商', '/ticket/create'],
      ['认领硬件', '认领硬件', '/router/lists'],
      ['添加成员', '添加成员', '/router/lists?type=2'],
      ['建组网', '创建组网', '/network/create'],
      ['看到在线', '查看成员', '/router/lists?state=never'],
      ['开启告警', '开启告警', '/monitor/setting'],
    ])
  })

  it('have one that is next: the first that is open', () => {
    const shown = toShownSteps(steps('network', 'alert'), MAIN)
    expect(shown.filter(({ isNext }) => isNext).map(({ step }) => step)).toEqual(['network'])
    expect(shown.filter(({ action }) => action !== null).map(({ step }) => step)).toEqual(['network', 'alert'])
  })

  it.each<[string, FirstStep, Grants, boolean]>([
    ['may not claim', 'hardware', { kind: 'ram', flags: [], networks: null }, false],
    ['may claim', 'hardware', { kind: 'ram', flags: ['router:create'], networks: null }, true],
    ['is limited to networks', 'network', { kind: 'ram', flags: ['network:create'], networks: ['N9'] }, false],
    ['may not start alerts', 'alert', { kind: 'ram', flags: ['monitor:view'], networks: null }, false],
  ])('offer what the role may do: it %s', (_, step, grants, isOffered) => {
    expect(toShownSteps(steps(step), grants).some(({ action }) => action !== null)).toBe(isOffered)
    expect(toRemainingSteps(steps(step), grants)).toHaveLength(isOffered ? 1 : 0)
  })
})
