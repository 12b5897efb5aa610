import { expect, it } from 'vitest'
import { drawCaptcha } from '#domain/verify/captcha-image.ts'
import { CAPTCHA_ALPHABET } from '#domain/verify/glyphs.ts'
import { isInTurn } from '#tests/support/depth.ts'
import { type Sample, trainReader } from './letter-reader.ts'

/** Uniform in [0, 1), the same in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

function drawSamples(count: number, seed: number, shape: (random: () => number) => () => number): Sample[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 4 }, () => CAPTCHA_ALPHABET[Math.floor(random() * CAPTCHA_ALPHABET.length)]).join(
      '',
    )
    return { text, pixels: drawCaptcha(text, shape(random)) }
  })
}

/** Part of the pictures that the reader gets entirely right after so many labelled ones. */
function successOf(trained: number, shape: (random: () => number) => () => number): number {
  const read = trainReader(drawSamples(trained, 7, shape), seeded(11))
  const tried = drawSamples(200, 13, shape)
  return tried.filter(({ text, pixels }) => read(pixels) === text).length / tried.length
}

const RUN = { timeout: 120_000, skip: !isInTurn('captcha reader') }

it('a plain classifier with 1,500 labelled pictures reads less than half of them', RUN, () => {
  expect(successOf(1_500, (random) => random)).toBeLessThan(0.5)
})

it('the same classifier reads letters that stand still', RUN, () => {
  const nearlyStill = (random: () => number) => () => 0.48 + random() * 0.04
  expect(successOf(1_000, nearlyStill)).toBeGreaterThan(0.8)
})
