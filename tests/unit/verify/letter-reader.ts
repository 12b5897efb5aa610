import { CAPTCHA_SIZE } from '#domain/verify/captcha-image.ts'
import { CAPTCHA_ALPHABET } from '#domain/verify/glyphs.ts'

export interface Sample {
  readonly text: string
  readonly pixels: Uint8Array
}

const { width, height } = CAPTCHA_SIZE
const LETTERS = 4
const GRID = 15 // features of a letter: a grid of so many columns and rows
const INPUTS = GRID * GRID
const HIDDEN = 64
const OUTPUTS = CAPTCHA_ALPHABET.length
const RATE = 0.012
const EPOCHS = 12

/** An attacker's first attempt: cut the inked part into four cells and learn letters with one hidden layer. */
export function trainReader(samples: readonly Sample[], random: () => number): (pixels: Uint8Array) => string {
  const gaussian = (spread: number) => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(6.283 * random()) * spread
  const hiddenWeights = Float32Array.from({ length: INPUTS * HIDDEN }, () => gaussian(1 / Math.sqrt(INPUTS)))
  const outputWeights = Float32Array.from({ length: HIDDEN * OUTPUTS }, () => gaussian(1 / Math.sqrt(HIDDEN)))
  const [hiddenBias, outputBias] = [new Float32Array(HIDDEN), new Float32Array(OUTPUTS)]
  const [hidden, output, back] = [new Float32Array(HIDDEN), new Float32Array(OUTPUTS), new Float32Array(HIDDEN)]

  const predict = (input: Float32Array): number => {
    for (let h = 0; h < HIDDEN; h++) {
      let sum = hiddenBias[h]!
      for (let i = 0, at = h * INPUTS; i < INPUTS; i++) sum += hiddenWeights[at + i]! * input[i]!
      hidden[h] = Math.max(0, sum)
    }
    for (let o = 0; o < OUTPUTS; o++) {
      let sum = outputBias[o]!
      for (let h = 0, at = o * HIDDEN; h < HIDDEN; h++) sum += outputWeights[at + h]! * hidden[h]!
      output[o] = sum
    }
    return output.indexOf(Math.max(...output))
  }
  const learn = (input: Float32Array, label: number, rate: number) => {
    const best = output[predict(input)]!
    const total = output.reduce((sum, score) => sum + Math.exp(score - best), 0)
    back.fill(0)
    for (let o = 0; o < OUTPUTS; o++) {
      const error = Math.exp(output[o]! - best) / total - (o === label ? 1 : 0)
      outputBias[o]! -= rate * error
      for (let h = 0, at = o * HIDDEN; h < HIDDEN; h++) {
        back[h]! += outputWeights[at + h]! * error
        outputWeights[at + h]! -= rate * error * hidden[h]!
      }
    }
    for (let h = 0; h < HIDDEN; h++) {
      if (hidden[h] === 0) continue
      const step = rate * back[h]!
      hiddenBias[h]! -= step
      for (let i = 0, at = h * INPUTS; i < INPUTS; i++) hiddenWeights[at + i]! -= step * input[i]!
    }
  }

  const letters = samples.flatMap(({ text, pixels }) =>
    toCells(pixels).map((input, i) => ({ input, label: CAPTCHA_ALPHABET.indexOf(text[i]!) })),
  )
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = letters.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[letters[i], letters[j]] = [letters[j]!, letters[i]!]
    }
    for (const { input, label } of letters) learn(input, label, RATE * (1 - epoch / EPOCHS))
  }
  return (pixels) =>
    toCells(pixels)
      .map((input) => CAPTCHA_ALPHABET[predict(input)])
      .join('')
}

/** Four equal cells, a little wider than a quarter, between the first and the last column with much ink. */
function toCells(pixels: Uint8Array): Float32Array[] {
  const isInk = (x: number, y: number) => pixels[y * width + x]! < 128
  const columns = Array.from({ length: width }, (_, x) => {
    let ink = 0
    for (let y = 0; y < height; y++)
      for (let near = x - 4; near <= x + 4; near++) ink += Number(near >= 0 && near < width && isInk(near, y))
    return ink
  })
  const most = Math.max(...columns)
  const left = columns.findIndex((ink) => ink > most * 0.35)
  const right = columns.findLastIndex((ink) => ink > most * 0.35) + 1
  const cell = (right - left) / LETTERS
  return Array.from({ length: LETTERS }, (_, n) => {
    const [from, to] = [left + cell * (n - 0.25), left + cell * (n + 1.25)]
    const input = new Float32Array(INPUTS)
    for (let column = 0; column < GRID; column++) {
      const x = Math.max(0, Math.min(width - 1, Math.floor(from + ((to - from) * column) / (GRID - 1))))
      for (let y = 0; y < height; y++) input[Math.floor((y * GRID) / height) * GRID + column]! += Number(isInk(x, y))
    }
    return input.map((ink) => ((ink * GRID) / height) * 2 - 0.5)
  })
}
