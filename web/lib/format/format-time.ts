import { DAY_MS, dateText, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS, timeText } from '#contract/kernel/time.ts'

/* Texts of times, durations and expiries, and ranges of days, in Asia/Shanghai. */

export { dateText, timeText } from '#contract/kernel/time.ts'

/** `MM-DD HH:mm` in Asia/Shanghai, for places that need no year. */
export function shortTimeText(atMs: number): string {
  return timeText(atMs).slice(5, 16)
}

/** `HH:mm:ss` in Asia/Shanghai; for earlier days after 昨天 (yesterday) or `MM-DD`. */
export function clockText(atMs: number, nowMs: number): string {
  const [day, clock = ''] = timeText(atMs).split(' ')
  if (day === dateText(nowMs)) return clock
  return `${day === dateText(nowMs - DAY_MS) ? '昨天' : dateText(atMs).slice(5)} ${clock}`
}

/** 刚刚 (just now), 5 分钟前, 3 小时后 …; beyond 30 days the date. A time up to a minute ahead still reads 刚刚. */
export function relativeText(atMs: number, nowMs: number): string {
  const span = Math.abs(nowMs - atMs)
  if (span < MINUTE_MS) return '刚刚'
  if (span >= 30 * DAY_MS) return dateText(atMs)
  const side = atMs < nowMs ? '前' : '后'
  if (span < HOUR_MS) return `${Math.floor(span / MINUTE_MS)} 分钟${side}`
  if (span < DAY_MS) return `${Math.floor(span / HOUR_MS)} 小时${side}`
  return `${Math.floor(span / DAY_MS)} 天${side}`
}

/** Running time of a stopwatch: 0:42, 12:05; from an hour on in words. */
export function stopwatchText(spanMs: number): string {
  if (spanMs >= HOUR_MS) return durationText(spanMs)
  const seconds = Math.max(0, Math.floor(spanMs / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The two largest units of a span: 3 天 4 小时, 2 小时 5 分, 40 秒. */
export function durationText(spanMs: number): string {
  const span = Math.max(0, Math.floor(spanMs / 1_000) * 1_000)
  const units: readonly (readonly [number, string])[] = [
    [DAY_MS, '天'],
    [HOUR_MS, '小时'],
    [MINUTE_MS, '分'],
    [1_000, '秒'],
  ]
  const first = units.findIndex(([size]) => span >= size)
  if (first === -1) return '0 秒'
  let rest = span
  const parts: string[] = []
  for (const [size, name] of units.slice(first, first + 2)) {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    if (amount > 0) parts.push(`${amount} ${name}`)
  }
  return parts.join(' ')
}

/** The largest unit of a span, for narrow columns: 3 天, 2 小时, 5 分; below a minute 刚刚. */
export function briefDuration(spanMs: number): string {
  if (spanMs < MINUTE_MS) return '刚刚'
  if (spanMs < HOUR_MS) return `${Math.floor(spanMs / MINUTE_MS)} 分`
  if (spanMs < DAY_MS) return `${Math.floor(spanMs / HOUR_MS)} 小时`
  return `${Math.floor(spanMs / DAY_MS)} 天`
}

export type ExpiryTone = 'normal' | 'soon' | 'urgent' | 'past'

/** Days until an expiry, with a begun day as a whole one: amber within 30, red within 7. */
export function expiry(atMs: number, nowMs: number): { readonly text: string; readonly tone: ExpiryTone } {
  const left = atMs - nowMs
  if (left <= 0) return { text: '已过期', tone: 'past' }
  const days = Math.ceil(left / DAY_MS)
  return { text: `还有 ${days} 天`, tone: days <= 7 ? 'urgent' : days <= 30 ? 'soon' : 'normal' }
}

/** Calendar days in Asia/Shanghai, both inclusive, as `YYYY-MM-DD`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** First and last millisecond of a range: a range ends at 23:59:59 of its last day. */
export function rangeMs({ from, to }: DayRange): { readonly startMs: number; readonly endMs: number } {
  const at = (day: string): number => Date.parse(`${day}T00:00:00Z`) - SHANGHAI_OFFSET_MS
  return { startMs: at(from), endMs: at(to) + DAY_MS - 1 }
}

/** The last `days` days up to and including today. */
export function lastDays(days: number, nowMs: number): DayRange {
  return { from: dateText(nowMs - (days - 1) * DAY_MS), to: dateText(nowMs) }
}
