import type { Absence, AlertHistory } from '#contract/local/history.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

/* Story of the two days before a demo's start: which devices were away, and what people did about it. Pure. */

/** Hours of history before the hour of the start. */
export const HISTORY_HOURS = 48
/** Within the week that logs show by default. */
const SETUP_DAYS = 5

export interface Story {
  /** Start of traffic and dials, on a full hour. */
  readonly from: number
  readonly now: number
  /** Time at which the accounts were set up. */
  readonly setupAt: number
  readonly ticketsAt: number
  /** By serial, oldest first. */
  readonly absences: Readonly<Record<string, readonly Absence[]>>
  /** Serial of the centre that is upgraded while it is away. */
  readonly upgraded: string
  readonly acknowledgements: AlertHistory['acknowledgements']
  readonly mutes: AlertHistory['mutes']
}

const SUZHOU = 'NL80C002'
const BEIJING = 'NL22P001'
const ZHENGZHOU = 'NL22S018'
const KUNMING = 'NL22S032'
const ON_CALL = 'ops@demo01'

/** Absences of a line that flaps: seconds from the beginning to each, and its length. */
const FLAPS = [
  [0, 50],
  [125, 45],
  [260, 50],
  [400, 55],
  [490, 50],
] as const

/** Three interruptions of a carrier's cutover; the first is long enough for an alert. Seconds as above. */
const CUTOVER = [
  [10, 270],
  [420, 130],
  [910, 130],
] as const

export function createStory(now: number): Story {
  const away = (from: number, seconds: number, silent = false): Absence => ({ from, to: from + seconds * 1000, silent })
  const interruptions = (from: number, times: readonly (readonly [after: number, seconds: number])[]) =>
    times.map(([after, seconds]) => away(from + after * 1000, seconds))
  const upgradeAt = lastTime(now, '01:00', 3 * HOUR_MS)
  const flapAt = lastTime(now, '02:11', 3 * HOUR_MS)
  const powerCutAt = lastTime(now, '15:20', 5 * HOUR_MS)
  const cutoverAt = lastTime(now, '09:05', 20 * HOUR_MS)
  return {
    from: Math.floor(now / HOUR_MS) * HOUR_MS - HISTORY_HOURS * HOUR_MS,
    now,
    setupAt: lastTime(now - SETUP_DAYS * DAY_MS, '10:05', 0),
    ticketsAt: cutoverAt + 65 * MINUTE_MS,
    absences: {
      [SUZHOU]: [away(upgradeAt, 810)],
      [ZHENGZHOU]: interruptions(flapAt, FLAPS),
      [KUNMING]: [away(powerCutAt + 12_000, 6_276, true)],
      [BEIJING]: interruptions(cutoverAt, CUTOVER),
    },
    upgraded: SUZHOU,
    acknowledgements: [{ router_name: KUNMING, by: ON_CALL, at: powerCutAt + 11 * MINUTE_MS }],
    mutes: [{ router_name: SUZHOU, by: ON_CALL, from: upgradeAt - 8 * MINUTE_MS, until: upgradeAt + 52 * MINUTE_MS }],
  }
}

/** Last time at which the clocks of Shanghai showed this, at least so long ago. */
function lastTime(now: number, clock: string, leastMs: number): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const local = now - leastMs + SHANGHAI_OFFSET_MS
  const ofDay = hours * HOUR_MS + minutes * MINUTE_MS
  const day = Math.floor((local - ofDay) / DAY_MS)
  return day * DAY_MS + ofDay - SHANGHAI_OFFSET_MS
}
