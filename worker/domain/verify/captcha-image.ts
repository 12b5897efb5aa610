import { type Point, toStrokes } from './glyphs.ts'

/* Draws the image of a captcha as grey pixels. */

export const CAPTCHA_SIZE = { width: 180, height: 60 } as const

const MARGIN = 6
const WHITE = 255
const INK = 235 // darkness of a pixel that a stroke covers
/** Width and height of a letter's box of 10 × 14 units, in pixels per unit. */
const SCALE = { x: [2.1, 4.1], y: [2.5, 3.1] } as const
/** Overlap of two neighboring letters, in pixels. Negative: a gap. */
const OVERLAP = [-3, 2] as const
const PEN = [1.8, 2.3] as const
const NOISE = { curves: 1, arcs: 4, pen: [0.8, 1.2] } as const

interface Placed {
  readonly letter: string
  readonly centre: Point
  readonly scale: Point
  readonly turn: number
  readonly lean: number
  readonly pen: number
}

/**
 * Draws a text dark on white. Letters vary in width, overlap, stand anywhere, and are turned, leaned and waved. Strokes of
 * noise have the same grey and nearly the same width. So no cell, shade or thickness tells a program the place of a letter.
 * @param random uniform in [0, 1); the same sequence draws the same image.
 */
export function drawCaptcha(text: string, random: () => number): Uint8Array {
  const image = new Uint8Array(CAPTCHA_SIZE.width * CAPTCHA_SIZE.height).fill(WHITE)
  const between = ([low, high]: readonly [number, number]) => low + random() * (high - low)
  const bend = createWave(between)
  for (const placed of placeLetters(text, between)) drawLetter(image, placed, bend)
  for (let i = 0; i < NOISE.curves; i++) drawLine(image, noiseCurve(between), between(NOISE.pen))
  for (let i = 0; i < NOISE.arcs; i++) drawLine(image, noiseArc(between), between(NOISE.pen))
  return image
}

type Between = (range: readonly [number, number]) => number

/** Places letters from left to right, each in a cell of its own width, and the line anywhere in the picture. */
function placeLetters(text: string, between: Between): readonly Placed[] {
  const { width, height } = CAPTCHA_SIZE
  let right = 0
  const placed = [...text].map((letter, i): Placed => {
    const scale: Point = [between(SCALE.x), between(SCALE.y)]
    const half = scale[0] * 5
    const x = i === 0 ? half : right - between(OVERLAP) + half
    right = x + half
    const centre: Point = [x, height / 2 + between([-3, 3])]
    return { letter, centre, scale, turn: between([-0.25, 0.25]), lean: between([-0.2, 0.2]), pen: between(PEN) }
  })
  const squeeze = Math.min(1, (width - 2 * MARGIN) / right)
  const start = MARGIN + between([0, Math.max(0, width - 2 * MARGIN - right)])
  return placed.map(({ centre: [x, y], scale: [sx, sy], ...rest }) => ({
    ...rest,
    centre: [start + x * squeeze, y],
    scale: [sx * squeeze, sy],
  }))
}

function drawLetter(
  image: Uint8Array,
  { letter, centre, scale, turn, lean, pen }: Placed,
  bend: (at: Point) => Point,
): void {
  for (const stroke of toStrokes(letter)) {
    const points = stroke.map(([x, y]): Point => {
      const [gx, gy] = [(x - 5 + (y - 7) * lean) * scale[0], (y - 7) * scale[1]]
      return bend([
        centre[0] + gx * Math.cos(turn) - gy * Math.sin(turn),
        centre[1] + gx * Math.sin(turn) + gy * Math.cos(turn),
      ])
    })
    drawLine(image, points, pen)
  }
}

/** Shifts points by waves along both axes. */
function createWave(between: Between): (at: Point) => Point {
  const wave = () => ({ phase: between([0, 6.28]), length: between([30, 55]), height: between([1, 2.2]) })
  const [down, across] = [wave(), wave()]
  return ([x, y]) => [
    x + Math.sin((y / across.length) * 6.28 + across.phase) * across.height,
    y + Math.sin((x / down.length) * 6.28 + down.phase) * down.height,
  ]
}

/** Curve from edge to edge. */
function noiseCurve(between: Between): Point[] {
  const { width, height } = CAPTCHA_SIZE
  const [start, end] = [between([14, height - 14]), between([14, height - 14])]
  const [bend, phase, turns] = [between([4, 12]), between([0, 6.28]), between([3, 7])]
  return Array.from({ length: 31 }, (_, i): Point => {
    const t = i / 30
    return [t * width, start + (end - start) * t + Math.sin(t * turns + phase) * bend]
  })
}

/** Arc as long as a stroke of a letter. */
function noiseArc(between: Between): Point[] {
  const { width, height } = CAPTCHA_SIZE
  const [x, y, radius] = [between([0, width]), between([6, height - 6]), between([6, 22])]
  const [from, sweep] = [between([0, 6.28]), between([0.8, 2])]
  return Array.from({ length: 13 }, (_, i): Point => {
    const angle = from + (sweep * i) / 12
    return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius]
  })
}

/** Darkens the pixels within `radius` of a line, with a soft edge one pixel wide. */
function drawLine(image: Uint8Array, points: readonly Point[], radius: number): void {
  for (const [i, to] of points.entries()) {
    const from = points[i - 1]
    if (from) drawSegment(image, from, to, radius)
  }
}

/** The costliest part of a captcha. Its loops allocate nothing, because a flood asks for thousands of them. */
function drawSegment(image: Uint8Array, [ax, ay]: Point, [bx, by]: Point, radius: number): void {
  const { width, height } = CAPTCHA_SIZE
  const edge = radius + 0.5
  const [dx, dy] = [bx - ax, by - ay]
  const lengthSquared = dx * dx + dy * dy || 1
  const [left, top] = [
    Math.max(0, Math.floor(Math.min(ax, bx) - edge)),
    Math.max(0, Math.floor(Math.min(ay, by) - edge)),
  ]
  const [right, bottom] = [Math.min(width, Math.max(ax, bx) + edge), Math.min(height, Math.max(ay, by) + edge)]
  for (let y = top; y < bottom; y++) {
    const py = y + 0.5 - ay
    for (let x = left; x < right; x++) {
      const px = x + 0.5 - ax
      const along = Math.max(0, Math.min(1, (px * dx + py * dy) / lengthSquared))
      const ex = px - along * dx
      const ey = py - along * dy
      const distanceSquared = ex * ex + ey * ey
      if (distanceSquared >= edge * edge) continue
      const cover = Math.min(1, edge - Math.sqrt(distanceSquared))
      const at = y * width + x
      image[at] = Math.min(image[at] ?? WHITE, WHITE - Math.floor(cover * INK))
    }
  }
}
