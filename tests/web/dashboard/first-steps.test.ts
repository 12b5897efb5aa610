import { describe, expect, it } from 'vitest'
import { FIRST_STEPS, type FirstStep, type FirstStepState } from '#contract/overview/index.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { toRemainingSteps, toShownSteps } from '#pages/dashboard/cards/first-steps.ts'

const MAIN: Grants = { kind: 'main', flags: [], networks: null }
const BOUGHT = { request: null, softwareMax: 5 }
const steps = (...open: readonly FirstStep[]): FirstStepState[] =>
  FIRST_STEPS.map((step) => ({ step, state: open.includes(step) ? 'open' : 'done' }))

describe('first steps', () => {
  it('lead to where each is done', () => {
    expect(
      toShownSteps(steps(...FIRST_STEPS), MAIN, BOUGHT).map(({ title, action }) => [title, action?.label, action?.to]),
    ).toEqual([
      ['开通服务', '联系服务商', '/ticket/create?request=service'],
      ['认领硬件', '认领硬件', '/router/lists?claim=1'],
      ['添加成员', '添加成员', '/router/lists?type=2'],
      ['建组网', undefined, undefined], // not before the service
      ['看到在线', '查看成员', '/router/lists?state=never'],
      ['开启告警', '开启告警', '/monitor/setting'],
    ])
  })

  it('that need what is not opened yet lead to the request for it, and are not next', () => {
    const shown = toShownSteps(steps('service', 'software', 'network', 'alert'), MAIN, { ...BOUGHT, softwareMax: 0 })
    const by = (step: FirstStep) => shown.find((one) => one.step === step)
    expect(by('software')?.action).toEqual({ label: '联系服务商', to: '/ticket/create?request=software' })
    expect(by('network')).toMatchObject({ action: null, blocked: '先开通服务' })
    const afterwards = toShownSteps(steps('software', 'network'), MAIN, { ...BOUGHT, softwareMax: 0 })
    expect(afterwards.find(({ isNext }) => isNext)).toMatchObject({
      step: 'network',
      action: { to: '/network/create' },
    })
  })

  it('have one that is next: the first that is open', () => {
    const shown = toShownSteps(steps('network', 'alert'), MAIN, BOUGHT)
    expect(shown.filter(({ isNext }) => isNext).map(({ step }) => step)).toEqual(['network'])
    expect(shown.filter(({ action }) => action !== null).map(({ step }) => step)).toEqual(['network', 'alert'])
  })

  it('what was asked of the provider has its state in place of the request, and the next step goes on meanwhile', () => {
    const create_time = Date.parse('2026-11-28T02:20:00Z')
    const shown = (ticket_status: 1 | 2 | 3) =>
      toShownSteps(steps('service', 'hardware'), MAIN, {
        ...BOUGHT,
        request: { ticket_number: 'T1', ticket_status, create_time },
      })
    expect(([1, 2, 3] as const).map((status) => shown(status)[0]?.hint)).toEqual([
      '已提交 11-28 10:20，待回复',
      '已提交 11-28 10:20，处理中',
      '已提交 11-28 10:20，已回复',
    ])
    expect(shown(1)[0]).toMatchObject({
      isNext: false,
      action: { label: '查看工单', to: '/ticket/detail?ticket_number=T1' },
    })
    expect(shown(1).find(({ isNext }) => isNext)?.step).toBe('hardware')
  })

  it.each<[string, FirstStep, Grants, boolean]>([
    ['may not claim', 'hardware', { kind: 'ram', flags: [], networks: null }, false],
    ['may claim', 'hardware', { kind: 'ram', flags: ['router:create'], networks: null }, true],
    ['is limited to networks', 'network', { kind: 'ram', flags: ['network:create'], networks: ['N9'] }, false],
    ['may not start alerts', 'alert', { kind: 'ram', flags: ['monitor:view'], networks: null }, false],
  ])('offer what the role may do: it %s', (_, step, grants, isOffered) => {
    expect(toShownSteps(steps(step), grants, BOUGHT).some(({ action }) => action !== null)).toBe(isOffered)
    expect(toRemainingSteps(steps(step), grants, BOUGHT)).toHaveLength(isOffered ? 1 : 0)
  })
})
