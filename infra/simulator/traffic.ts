import { DAY_MS } from '#contract/kernel/time.ts'

/** Traffic load of a virtual router. Pure: deterministic by seed and time. */
export interface Profile {
  readonly seed: number
  /** Downstream rate in the busiest minutes. */
  readonly peakMbps: number
}

export type Direction = 'down' | 'up'

const SECOND_MS = 1_000
const CHINA_MS = 8 * 3_600_000
const WOBBLE_MS = 30_000
const BURST_MS = 20_000
const BURST_SHARE = 0.06
const UP_SHARE = 0.35

/** Bit/s at a moment: office hours in China, a slow wobble and bursts. */
export function bitsPerSecond({ seed, peakMbps }: Profile, direction: Direction, atMs: number): number {
  const lane = direction === 'down' ? seed : seed + 7_919
  const wobble = 0.7 + 0.6 * smooth(lane, atMs / WOBBLE_MS)
  const steady = dayCurve(atMs) * wobble * 0.45
  const slot = Math.floor(atMs / BURST_MS)
  const dice = noise(lane + 104_729, slot)
  const burst = dice < BURST_SHARE ? 0.25 + 0.3 * (dice / BURST_SHARE) : 0
  const share = direction === 'down' ? 1 : UP_SHARE
  return peakMbps * 1e6 * share * Math.min(steady + burst * (0.3 + 0.7 * dayCurve(atMs)), 1)
}

/**
 * Bytes that passed between two times. Summed over whole samples of the clock, so that parts add up to the whole; a rate
 * changes little within ten seconds.
 */
export function bytesBetween(
  profile: Profile,
  direction: Direction,
  fromMs: number,
  toMs: number,
  sampleMs: number = SECOND_MS,
): number {
  let bits = 0
  for (let sample = Math.floor(fromMs / sampleMs); sample * sampleMs < toMs; sample++) {
    const start = sample * sampleMs
    const overlapMs = Math.min(toMs, start + sampleMs) - Math.max(fromMs, start)
    bits += (bitsPerSecond(profile, direction, start + sampleMs / 2) * overlapMs) / 1000
  }
  return bits / 8
}

/** 0.04 at night to 1 in the morning's and the afternoon's busiest hour; weekends are a third of it. */
export function dayCurve(atMs: number): number {
  const local = atMs + CHINA_MS
  const hour = (local % DAY_MS) / 3_600_000
  const hump = (centre: number, width: number) => Math.exp(-(((hour - centre) / width) ** 2))
  const curve = 0.04 + 0.96 * Math.min(hump(10.5, 2.2) + 0.95 * hump(15.5, 2.4) + 0.35 * hump(20, 1.8), 1)
  const weekday = (Math.floor(local / DAY_MS) + 4) % 7 // 1970-01-01 was a Thursday
  return weekday === 0 || weekday === 6 ? Math.max(curve / 3, 0.04) : curve
}

/** Value noise: random at whole numbers, smooth between them. */
function smooth(seed: number, x: number): number {
  const left = Math.floor(x)
  const t = x - left
  const ease = t * t * (3 - 2 * t)
  return noise(seed, left) * (1 - ease) + noise(seed, left + 1) * ease
}

/** [0, 1), the same for the same two numbers. */
function noise(seed: number, n: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n | 0, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32
}
