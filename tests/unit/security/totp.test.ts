import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOTP } from '#contract/login/limits.ts'
import { createTotpSecret, findTotpStep, totpUri, createRecoveryCodes, recoveryCodeHash } from '#security/totp.ts'
import { totpCodeAt } from '#tests/support/authenticator.ts'

/** ASCII `12345678901234567890`, the secret of RFC 6238 appendix B. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const STEP_MS = TOTP.periodSeconds * 1000

/** Appendix B, SHA-1: seconds, and the eight digits of which six digits are the last ones. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const

describe('codes of an authenticator', () => {
  it.each(VECTORS)('RFC 6238 at %i s: %s', (seconds, digits) => {
    const code = digits.slice(-TOTP.digits)
    expect(findTotpStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / TOTP.periodSeconds))
    expect(totpCodeAt(RFC_SECRET, seconds * 1000)).toBe(code)
  })

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('of the time step %i from now: %s', (offset, isGood) => {
    const now = 1_800_000_000_000
    const found = findTotpStep(RFC_SECRET, totpCodeAt(RFC_SECRET, now + offset * STEP_MS), now)
    expect(found).toBe(isGood ? now / STEP_MS + offset : null)
  })

  it('a code is found in the step that it belongs to, by its own secret only', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        const [mine, other] = [createTotpSecret(), createTotpSecret()]
        const now = seconds * 1000
        const code = totpCodeAt(mine, now)
        expect(findTotpStep(mine, code, now)).toBe(Math.floor(now / STEP_MS))
        const isChance = [-1, 0, 1].some((step) => totpCodeAt(other, Math.max(0, now + step * STEP_MS)) === code)
        expect(findTotpStep(other, code, now) === null).toBe(!isChance)
      }),
      { numRuns: 200 },
    )
  })

  it.each(['', '12345', '1234567', 'abcdef'])('%j is none', (code) => {
    expect(findTotpStep(RFC_SECRET, code, 59_000)).toBeNull()
  })
})

describe('the set-up', () => {
  it('has 160 random bits', () => {
    const secrets = new Set(Array.from({ length: 50 }, createTotpSecret))
    expect(secrets.size).toBe(50)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('is a key URI with the brand, or without where there is none', () => {
    const uri = new URL(totpUri({ secret: RFC_SECRET, issuer: '云联 智网', label: 'ops@demo01' }))
    expect(uri.protocol + uri.host).toBe('otpauth:totp')
    expect(decodeURIComponent(uri.pathname)).toBe('/云联 智网:ops@demo01')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: '云联 智网',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(totpUri({ secret: RFC_SECRET, issuer: '', label: 'demo01' })).toMatch(/^otpauth:\/\/totp\/demo01\?secret=/)
  })
})

describe('recovery codes', () => {
  it('are ten, without characters that are misread, and kept as keyed hashes', async () => {
    const { shown, hashes } = await createRecoveryCodes('key')
    expect(new Set(shown).size).toBe(TOTP.recoveryCodes)
    for (const [i, code] of shown.entries()) {
      expect(code).toMatch(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/)
      expect(hashes[i]).toBe(await recoveryCodeHash('key', code.replace('-', '')))
    }
    expect(await recoveryCodeHash('other', shown[0]!.replace('-', ''))).not.toBe(hashes[0])
  })
})
