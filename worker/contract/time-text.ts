import { dayText, pair } from './calendar.ts'
import { SHANGHAI_OFFSET_MS } from './limits.ts'

const DAY_S = 86_400

/** `YYYY-MM-DD HH:mm:ss` in Asia/Shanghai. */
export function timeText(atMs: number): string {
  const seconds = Math.floor((atMs + SHANGHAI_OFFSET_MS) / 1_000)
  const days = Math.floor(seconds / DAY_S)
  const clock = seconds - days * DAY_S
  const [hours, minutes] = [Math.floor(clock / 3_600), Math.floor(clock / 60) % 60]
  return `${dayText(days)} ${pair(hours)}:${pair(minutes)}:${pair(clock % 60)}`
}

/** `YYYY-MM-DD HH:mm` in Asia/Shanghai. */
export const minuteText = (atMs: number): string => timeText(atMs).slice(0, 16)

/** `YYYY-MM-DD` in Asia/Shanghai. */
export const dateText = (atMs: number): string => timeText(atMs).slice(0, 10)
