import { describe, expect, it } from 'vitest'
import { FIRST_STEPS, type FirstStep } from '#contract/overview/index.ts'
import { NO_MEMBERS } from '#domain/health/member.ts'
import { type FirstStepFacts, firstSteps } from '#domain/overview/first-steps.ts'

const NEW: FirstStepFacts = { seats: 0, hardware: NO_MEMBERS, software: NO_MEMBERS, networks: 0, isMonitored: false }
const one = (state: keyof typeof NO_MEMBERS) => ({ ...NO_MEMBERS, [state]: 1 })
const doneOf = (facts: Partial<FirstStepFacts>) =>
  firstSteps({ ...NEW, ...facts }, [])
    .filter(({ state }) => state === 'done')
    .map(({ step }) => step)

describe('first steps of an account', () => {
  it('are all open at the beginning, in their order', () => {
    expect(firstSteps(NEW, [])).toEqual(FIRST_STEPS.map((step) => ({ step, state: 'open' })))
  })

  it.each<[string, Partial<FirstStepFacts>, FirstStep[]]>([
    ['a service', { seats: 10 }, ['service']],
    ['a device that never came', { hardware: one('never') }, ['hardware']],
    ['a device that is disabled', { hardware: one('disabled') }, ['hardware']],
    ['a device that was there once', { hardware: one('offline') }, ['hardware', 'online']],
    ['a software member that dials', { software: one('online') }, ['software', 'online']],
    ['a network, though its service has ended', { networks: 1 }, ['service', 'network']],
    ['monitoring', { isMonitored: true }, ['alert']],
  ])('tick themselves off by %s', (_, facts, done) => {
    expect(doneOf(facts)).toEqual(done)
  })

  it('may be dismissed one by one; what is done stays done', () => {
    const steps = firstSteps({ ...NEW, seats: 1 }, ['service', 'software'])
    expect(steps.map(({ state }) => state)).toEqual(['done', 'open', 'dismissed', 'open', 'open', 'open'])
  })

  it('are none once nothing is open', () => {
    const all = { seats: 1, hardware: one('online'), software: one('never'), networks: 1, isMonitored: true }
    expect(firstSteps(all, [])).toEqual([])
    expect(firstSteps({ ...all, isMonitored: false }, ['alert'])).toEqual([])
    expect(firstSteps({ ...all, isMonitored: false }, ['software'])).toHaveLength(FIRST_STEPS.length)
    expect(firstSteps(NEW, FIRST_STEPS)).toEqual([])
  })
})
