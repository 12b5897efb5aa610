import { type AlertRule, isOfRouter } from '#contract/monitor/alert.ts'
import type { AlertSettings, Subject } from './state.ts'

/** Services are watched also while monitoring is off (account 3). */
export function isWatched({ enable, rules, routers }: AlertSettings, rule: AlertRule, object: string): boolean {
  if (!rules[rule].on || (!enable && rule !== 'service_expired')) return false
  return routers === null || !isOfRouter(rule) || object === '*' || routers.includes(object)
}

/** Until when nothing is sent about it; null where it is not muted. */
export function mutedUntil({ mutes }: AlertSettings, { object, networks }: Subject, now: number): number | null {
  const until = mutes
    .filter(
      ({ kind, target }) =>
        kind === 'all' ||
        (kind === 'router' ? target === object : networks.length > 0 && networks.every((n) => n === target)),
    )
    .map((mute) => mute.until)
  const latest = Math.max(0, ...until)
  return latest > now ? latest : null
}

const DAY_MS = 86_400_000

export interface QuietHours {
  readonly on: boolean
  /** Minutes of the day in Asia/Shanghai; they may go past midnight. */
  readonly start: number
  readonly end: number
}

/** End of the quiet hours that contain `now`; null outside of them. */
export function quietUntil({ on, start, end }: QuietHours, now: number, offsetMs: number): number | null {
  if (!on || start === end) return null
  const midnight = Math.floor((now + offsetMs) / DAY_MS) * DAY_MS - offsetMs
  const minute = (now - midnight) / 60_000
  const at = (minutes: number, day = 0) => midnight + minutes * 60_000 + day * DAY_MS
  if (start < end) return minute >= start && minute < end ? at(end) : null
  if (minute >= start) return at(end, 1)
  return minute < end ? at(end) : null
}
