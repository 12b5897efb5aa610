import { describe, expect, it } from 'vitest'
import { OTP, OTP_LIMITS } from '#contract/verify/limits.ts'
import { type OtpAttempt, checkOtp, checkSendTimes } from '#domain/verify/otp.ts'

const NOW = 1_800_000_000_000

describe('checkSendTimes', () => {
  it('finds room where no window is full', () => {
    expect(checkSendTimes([], NOW)).toBeNull()
    expect(
      checkSendTimes(
        Object.keys(OTP_LIMITS).map((limit) => [limit as 'wait', null]),
        NOW,
      ),
    ).toBeNull()
  })

  it.each([
    ['wait', 'CODE_TOO_SOON', { retry_after: 58 }],
    ['address', 'CODE_ADDRESS', { minutes: 60, retry_after: 3_599 }],
    ['wideBlock', 'CODE_ADDRESS', { minutes: 60, retry_after: 3_599 }],
    ['share', 'CODE_DAILY', {}],
    ['target', 'CODE_DAILY', {}],
    ['main', 'CODE_DAILY', {}],
    ['ram', 'CODE_DAILY', {}],
  ] as const)('%s, filled a second ago: %s', (limit, key, params) => {
    expect(checkSendTimes([[limit, NOW - 1_000]], NOW)).toEqual({ key, params })
    expect(checkSendTimes([[limit, NOW - OTP_LIMITS[limit].windowMs]], NOW)).toBeNull()
  })

  it('leaves room for others in every day of a target', () => {
    expect(OTP_LIMITS.share.max * 2).toBeLessThanOrEqual(OTP_LIMITS.target.max)
  })
})

it.each<[OtpAttempt, string | undefined]>([
  [{ tries: 0, isRight: true }, undefined],
  [{ tries: OTP.tries - 1, isRight: true }, undefined],
  [{ tries: 1, isRight: false }, 'CODE_WRONG'],
  [{ tries: OTP.tries, isRight: false }, 'CODE_SPENT'],
  [undefined, 'CODE_WRONG'],
])('a look %j is refused with %s', (attempt, key) => expect(checkOtp(attempt)?.key).toBe(key))
