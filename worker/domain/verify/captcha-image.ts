import { type Point, toStrokes } from './glyphs.ts'

export const CAPTCHA_SIZE = { width: 180, height: 60 } as const

/**
 * Draws a text as grey pixels, dark on white. Each letter is turned, leaned, scaled and bent in its own way and thin
 * lines cross the image: easy for people, no fixed shapes for a program.
 *
 * @param random uniform in [0, 1); the same sequence draws the same image.
 */
export function drawCaptcha(text: string, random: () => number): Uint8Array {
  const { width, height } = CAPTCHA_SIZE
  const spread = (amount: number) => (random() * 2 - 1) * amount
  const ink = new Uint8Array(width * height)
  const cell = (width - 16) / text.length
  const wave = { phase: random() * 6.28, length: 22 + random() * 14, height: 1.6 + random() * 1.2 }

  for (const [i, letter] of [...text].entries()) {
    const centre: Point = [8 + cell * (i + 0.5) + spread(4), height / 2 + spread(4)]
    const [turn, lean, scale] = [spread(0.3), spread(0.2), 2.3 + random() * 0.55]
    const pen = 1.7 + random() * 0.6
    for (const stroke of toStrokes(letter)) {
      const placed = stroke.map(([x, y]): Point => {
        const [gx, gy] = [(x - 5 + (y - 7) * lean) * scale, (y - 7) * scale]
        const px = centre[0] + gx * Math.cos(turn) - gy * Math.sin(turn)
        const py = centre[1] + gx * Math.sin(turn) + gy * Math.cos(turn)
        return [px, py + Math.sin(px / (wave.length / 6.28) + wave.phase) * wave.height]
      })
      drawLine(ink, placed, pen, 235)
    }
  }
  for (let i = 0; i < 3; i++) drawLine(ink, noiseLine(spread, random), 0.55, 130)
  for (let i = 0; i < 40; i++) {
    const dot: Point = [random() * width, random() * height]
    drawLine(ink, [dot, dot], 0.6, 110)
  }
  return ink.map((darkness) => 255 - darkness)
}

function noiseLine(spread: (amount: number) => number, random: () => number): Point[] {
  const { width, height } = CAPTCHA_SIZE
  const [start, end, bend, phase] = [random() * height, random() * height, spread(14), random() * 6.28]
  return Array.from({ length: 19 }, (_, i): Point => {
    const t = i / 18
    return [t * width, start + (end - start) * t + Math.sin(t * 5 + phase) * bend]
  })
}

/** Darkens the pixels within `radius` of a line, with a soft edge one pixel wide. */
function drawLine(ink: Uint8Array, points: readonly Point[], radius: number, darkness: number): void {
  const { width, height } = CAPTCHA_SIZE
  const reach = radius + 1
  for (const [i, a] of points.entries()) {
    const b = points[i + 1]
    if (!b) return
    const [left, right] = [Math.max(0, Math.floor(Math.min(a[0], b[0]) - reach)), Math.max(a[0], b[0]) + reach]
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(a[1], b[1]) - reach)), Math.max(a[1], b[1]) + reach]
    for (let y = top; y < Math.min(height, bottom); y++) {
      for (let x = left; x < Math.min(width, right); x++) {
        const cover = Math.min(1, Math.max(0, radius + 0.5 - distance([x + 0.5, y + 0.5], a, b)))
        const at = y * width + x
        ink[at] = Math.max(ink[at] ?? 0, cover * darkness)
      }
    }
  }
}

function distance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
