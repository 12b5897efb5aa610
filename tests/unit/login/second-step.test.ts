import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTotpRemoval, checkTotpStep, secondStep } from '#domain/login/second-step.ts'

describe('next step of a sign-in', () => {
  it.each([
    ['main account', { ramId: null, hasTotp: 0, ramTotpRequired: 0 }, null],
    ['main account that requires it of others', { ramId: null, hasTotp: 0, ramTotpRequired: 1 }, null],
    ['main account with a second factor', { ramId: null, hasTotp: 1, ramTotpRequired: 0 }, 'verify'],
    ['sub-account', { ramId: 7, hasTotp: 0, ramTotpRequired: 0 }, null],
    ['sub-account that must have one', { ramId: 7, hasTotp: 0, ramTotpRequired: 1 }, 'enrol'],
    ['sub-account that has one', { ramId: 7, hasTotp: 1, ramTotpRequired: 0 }, 'verify'],
    ['sub-account that must have one and has it', { ramId: 7, hasTotp: 1, ramTotpRequired: 1 }, 'verify'],
  ] as const)('%s', (_, person, step) => {
    expect(secondStep(person)).toBe(step)
  })
})

describe('time steps', () => {
  it.each([
    [null, 0, 'TOTP_CODE_WRONG'],
    [10, 9, null],
    [10, 10, 'TOTP_CODE_WRONG'],
    [9, 10, 'TOTP_CODE_WRONG'],
  ] as const)('%s after %i', (step, last, key) => {
    expect(checkTotpStep(step, last)?.key ?? null).toBe(key)
  })

  it('of any sequence of codes each step is accepted at most once, and they rise', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20))), (steps) => {
        const accepted: number[] = []
        for (const step of steps) if (!checkTotpStep(step, accepted.at(-1) ?? -1)) accepted.push(step!)
        expect(accepted).toEqual([...new Set(accepted)].toSorted((a, b) => a - b))
      }),
    )
  })
})

it.each([
  ['main account', { ramId: null, ramTotpRequired: 1 }, null],
  ['sub-account', { ramId: 7, ramTotpRequired: 0 }, null],
  ['sub-account that must have it', { ramId: 7, ramTotpRequired: 1 }, 'TOTP_MANDATORY'],
] as const)('who may switch it off: %s', (_, person, key) => {
  expect(checkTotpRemoval(person)?.key ?? null).toBe(key)
})
