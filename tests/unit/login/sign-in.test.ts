import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { type Attempts, checkAttempts, checkTotpRemoval, checkTotpStep, secondStep } from '#domain/login/sign-in.ts'

const NOW = 1_000_000
const { failures, failuresPerWideBlock } = LOGIN_GUARD

describe('pause', () => {
  it.each<[string, Attempts, Attempts | undefined, string | null]>([
    ['first try', [1, NOW + 900_000], [1, NOW + 900_000], null],
    ['an address without a /48', [1, NOW + 900_000], undefined, null],
    ['last allowed try', [failures, NOW + 900_000], [failuresPerWideBlock, NOW + 900_000], null],
    ['one too many at the address', [failures + 1, NOW + 900_000], [6, NOW], '登录失败次数过多，请15分钟后重试'],
    ['one too many in the /48', [1, NOW], [21, NOW + 61_000], '登录失败次数过多，请2分钟后重试'],
    ['both: the longer wait counts', [9, NOW + 60_000], [99, NOW + 600_000], '登录失败次数过多，请10分钟后重试'],
    ['the window ends this moment', [9, NOW], undefined, '登录失败次数过多，请1分钟后重试'],
  ])('%s', (_, atAddress, inWideBlock, message) => {
    const found = checkAttempts(
      [
        { attempts: atAddress, limit: failures },
        { attempts: inWideBlock, limit: failuresPerWideBlock },
      ],
      NOW,
    )
    expect(found && toMessage(found)).toBe(message)
  })
})

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
