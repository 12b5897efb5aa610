/* Letters of the captcha as pen strokes. */

/** A point on a grid of 10 × 14, y downwards. */
export type Point = readonly [x: number, y: number]

/**
 * Pen strokes of each letter: `x,y` points joined by lines, strokes separated by `|`; a `~` smooths its stroke. Letters
 * that people confuse are left out: 0/O, 1/I, 4 (A), 6 (G), 7/Z (2) and V (Y).
 */
const STROKES = {
  2: '~1,3.4 2.2,0.9 5,0 8,1 8.8,3.6 7.6,6.6 4.2,10.4 1,14|1,14 9,14',
  3: '~1,1.9 3,0.3 6,0 8.6,1.6 8.3,4.9 5.2,6.5 3.6,6.6|~5.2,6.5 8.6,7.8 9.2,10.8 6.8,13.7 3.2,13.9 0.8,11.9',
  5: '8.6,0 2,0 1.5,6|~1.5,6 4.6,5 8,6.2 9.2,9.4 8,12.6 4.6,14 1,12.4',
  8: '~5,6.6 2.2,5.5 1.4,3.1 2.6,0.8 5,0 7.4,0.8 8.6,3.1 7.8,5.5 5,6.6 2,7.9 0.8,10.6 2,13.1 5,14 8,13.1 9.2,10.6 8,7.9 5,6.6',
  9: '~2,13.2 5,13.5 7.6,10.6 9,5.4 8.2,1.6 5,0 1.8,1.4 1,4.2 2.4,7.1 5.2,7.9 7.8,6.7 9,4.2',
  A: '0.5,14 5,0 9.5,14|2.2,9 7.8,9',
  B: '5.2,0 1,0 1,14 5.2,14|1,6.6 5.2,6.6|~5.2,0 8.1,1 8.7,3.3 8,5.6 5.2,6.6 8.6,7.8 9.4,10.3 8.6,12.8 5.2,14',
  C: '~9,3 7.5,0.8 5,0 2.2,1.2 0.8,4.5 0.8,9.5 2.2,12.8 5,14 7.5,13.2 9,11',
  D: '4.4,0 1,0 1,14 4.4,14|~4.4,0 7.8,1.4 9.2,5 9.2,9 7.8,12.6 4.4,14',
  E: '9,0 1,0 1,14 9,14|1,6.8 7.6,6.8',
  F: '9,0 1,0 1,14|1,6.8 7.6,6.8',
  G: '~9,3 7.5,0.8 5,0 2.2,1.2 0.8,4.5 0.8,9.5 2.2,12.8 5,14 7.6,13.3 9,11.6|9,11.6 9,7.6 5.4,7.6',
  H: '1,0 1,14|9,0 9,14|1,7 9,7',
  J: '4,0 8,0 8,9.4|~8,9.4 7.2,12.8 4.6,14 1.9,12.9 1,10.2',
  K: '1,0 1,14|9,0 1,8.6|3.6,6.2 9.4,14',
  L: '1,0 1,14 9,14',
  M: '0.5,14 0.5,0 5,8 9.5,0 9.5,14',
  N: '1,14 1,0 9,14 9,0',
  P: '1,14 1,0 5.4,0|~5.4,0 8.5,1.2 9.2,3.9 8.5,6.6 5.4,7.8|5.4,7.8 1,7.8',
  Q: '~5,0 2,1.3 0.6,4.8 0.6,9.2 2,12.7 5,14 8,12.7 9.4,9.2 9.4,4.8 8,1.3 5,0|6,10.4 10,14.6',
  R: '1,14 1,0 5.4,0|~5.4,0 8.5,1.2 9.2,3.9 8.5,6.6 5.4,7.8|5.4,7.8 1,7.8|5,7.8 9.4,14',
  S: '~8.8,2.6 7.2,0.5 4.6,0 2,1.2 1.4,3.8 3.2,6 6.4,7.5 8.7,9.5 8.5,12.2 6.4,13.8 3.6,13.9 1,11.8',
  T: '0.5,0 9.5,0|5,0 5,14',
  U: '1,0 1,9.4|~1,9.4 2.2,13 5,14 7.8,13 9,9.4|9,9.4 9,0',
  W: '0,0 2.5,14 5,4.5 7.5,14 10,0',
  X: '0.8,0 9.2,14|9.2,0 0.8,14',
  Y: '0.5,0 5,7 9.5,0|5,7 5,14',
} as const

export const CAPTCHA_ALPHABET = Object.keys(STROKES).join('')

/** Strokes of a letter, each a list of points close enough to be joined by lines. */
export function toStrokes(letter: string): Point[][] {
  const text = (STROKES as Readonly<Record<string, string>>)[letter] ?? ''
  return text.split('|').map((stroke) => {
    const points = stroke.replace('~', '').split(' ').map(parsePoint)
    return stroke.startsWith('~') ? smoothed(points) : points
  })
}

function parsePoint(text: string): Point {
  const [x = 0, y = 0] = text.split(',').map(Number)
  return [x, y]
}

const STEPS = 5

/** Catmull-Rom: the curve runs through each of its points. */
function smoothed(points: readonly Point[]): Point[] {
  const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0]
  const curve: Point[] = [at(0)]
  for (let i = 0; i < points.length - 1; i++) {
    for (let step = 1; step <= STEPS; step++) curve.push(between(at(i - 1), at(i), at(i + 1), at(i + 2), step / STEPS))
  }
  return curve
}

function between(a: Point, b: Point, c: Point, d: Point, t: number): Point {
  const axis = (i: 0 | 1) =>
    0.5 *
    (2 * b[i] +
      (c[i] - a[i]) * t +
      (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t * t +
      (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t * t * t)
  return [axis(0), axis(1)]
}
