import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CAPTCHA } from '#contract/verify/limits.ts'
import { CAPTCHA_SIZE, drawCaptcha } from '#domain/verify/captcha-image.ts'
import { CAPTCHA_ALPHABET, toStrokes } from '#domain/verify/glyphs.ts'
import { hasZeroBits } from '#domain/verify/proof-of-work.ts'
import { captchaHash } from '#security/one-time.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('the captcha’s letters', () => {
  it('are characters that people tell apart', () => {
    expect(CAPTCHA_ALPHABET).toBe('23589ABCDEFGHJKLMNPQRSTUWXY')
    expect(CAPTCHA_ALPHABET.length ** CAPTCHA.length).toBeGreaterThan(500_000)
  })

  it('a character that is never drawn is read as the letter that looks like it', async () => {
    const hash = (text: string) => captchaHash('secret', 'login', 'x', text)
    for (const [typed, drawn] of [
      ['4VZ7', 'AY22'],
      ['6v4z', 'GYA2'],
      ['k7qp', 'K2QP'],
    ] as const)
      expect(await hash(typed)).toBe(await hash(drawn))
    const hashes = await Promise.all([...CAPTCHA_ALPHABET].map(hash))
    expect(new Set(hashes).size).toBe(CAPTCHA_ALPHABET.length)
  })

  it('each is drawn within its box', async () => {
    const offenders = await findOffenders([...CAPTCHA_ALPHABET])((letter) => {
      const points = toStrokes(letter).flat()
      expect(points.length).toBeGreaterThan(1)
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(-0.5)
        expect(x).toBeLessThanOrEqual(10.5)
        expect(y).toBeGreaterThanOrEqual(-0.5)
        expect(y).toBeLessThanOrEqual(15)
      }
    })
    expect(offenders).toEqual([])
  })

  it('no two are drawn alike', () => {
    const drawings = [...CAPTCHA_ALPHABET].map((letter) => JSON.stringify(toStrokes(letter)))
    expect(new Set(drawings).size).toBe(CAPTCHA_ALPHABET.length)
  })
})

describe('captcha image', () => {
  const { width, height } = CAPTCHA_SIZE
  const seeded = (seed: number) => () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647

  it('is the same for the same sequence and never for another', () => {
    expect(drawCaptcha('K2QP', seeded(1))).toEqual(drawCaptcha('K2QP', seeded(1)))
    expect(drawCaptcha('K2QP', seeded(1))).not.toEqual(drawCaptcha('K2QP', seeded(2)))
  })

  it('stays readable: the ink of four letters, next to none of it cut off by the edge, whatever the sequence', () => {
    const text = fc.array(fc.constantFrom(...CAPTCHA_ALPHABET), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 2_000_000_000 }), (letters, seed) => {
        const pixels = drawCaptcha(letters.join(''), seeded(seed))
        const dark = [...pixels.keys()].filter((at) => pixels[at]! < 60)
        expect(dark.length).toBeGreaterThan(700)
        expect(dark.length).toBeLessThan(2_800)
        expect(dark.filter((at) => at < width || at >= width * (height - 1)).length).toBeLessThan(30)
      }),
      { numRuns: 60 },
    )
  })

  it('draws letters and noise in one grey', () => {
    const shades = drawCaptcha('W8MB', seeded(5))
    const darkest = Math.min(...shades)
    expect([...shades].filter((shade) => shade === darkest).length).toBeGreaterThan(700)
    expect(Math.min(...drawCaptcha('', seeded(5)))).toBe(darkest) // no letter: noise alone
  })
})

it('counts leading zero bits', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 8 }), fc.integer({ min: 0, max: 32 }), (digest, bits) => {
      const written = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('')
      expect(hasZeroBits(digest, bits)).toBe(written.startsWith('0'.repeat(bits)))
    }),
  )
  expect(hasZeroBits(new Uint8Array([0, 0, 0x3f]), 18)).toBe(true)
  expect(hasZeroBits(new Uint8Array([0, 0, 0x40]), 18)).toBe(false)
  expect(hasZeroBits(new Uint8Array(), 18)).toBe(false)
})
