import { dateText, durationText, expiry, relativeText, timeText } from '#lib/format/format-time.ts'
import { Tooltip } from './tooltip.tsx'
import { useNow, useNowSince } from '#ui/hooks/use-now.ts'

/* Texts of a time, of the duration since a time, and of an expiry. */

interface TimeTextProps {
  readonly at: number | null | undefined
  /** `relative` shows 5 分钟前 and keeps the exact time in the tooltip. */
  readonly mode?: 'exact' | 'relative'
  /** Text if there is no time. */
  readonly never?: string
}

export function TimeText({ at, mode = 'exact', never = '—' }: TimeTextProps) {
  if (at === null || at === undefined) return <span className="nl-muted">{never}</span>
  if (mode === 'relative') return <RelativeTime at={at} />
  return <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
}

function RelativeTime({ at }: { readonly at: number }) {
  const now = useNow()
  return (
    <Tooltip content={timeText(at)} focusable>
      <time dateTime={new Date(at).toISOString()}>{relativeText(at, now)}</time>
    </Tooltip>
  )
}

/** Duration since a time; below an hour it shows seconds. */
export function SinceText({ at }: { readonly at: number }) {
  const now = useNowSince(at)
  return (
    <Tooltip content={`自 ${timeText(at)}`} focusable>
      {durationText(now - at)}
    </Tooltip>
  )
}

/** Expiry such as 还有 12 天 (12 days left): amber within 30 days, red within 7 or past. */
export function ExpiryText({ at }: { readonly at: number }) {
  const { text, tone } = expiry(at, useNow())
  return (
    <Tooltip content={timeText(at)} focusable>
      <span className={`nl-expiry nl-expiry-${tone}`}>{text}</span>
    </Tooltip>
  )
}

/** Day of an expiry above the time that is left, in the tones of ExpiryText. */
export function ExpiryDate({ at }: { readonly at: number }) {
  const { text, tone } = expiry(at, useNow())
  return (
    <span>
      <Tooltip content={timeText(at)} focusable>
        {dateText(at)}
      </Tooltip>{' '}
      <br />
      <span className={`nl-expiry nl-expiry-${tone}`}>{text}</span>
    </span>
  )
}
