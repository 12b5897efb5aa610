import { durationText, expiry, relativeText, timeText } from '#lib/format/format-time.ts'
import { Tooltip } from './tooltip.tsx'
import './text.css'
import { useNow, useNowSince } from '#ui/hooks/use-now.ts'

interface TimeTextProps {
  readonly at: number | null | undefined
  /** `relative` shows 5 分钟前 and keeps the exact time in the tooltip. */
  readonly mode?: 'exact' | 'relative'
  /** Shown where there is no time. */
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

/** Duration since a time: by the second below an hour. */
export function SinceText({ at }: { readonly at: number }) {
  const now = useNowSince(at)
  return (
    <Tooltip content={`自 ${timeText(at)}`} focusable>
      {durationText(now - at)}
    </Tooltip>
  )
}

/** 还有 12 天: amber within 30 days, red within 7 or past. */
export function ExpiryText({ at }: { readonly at: number }) {
  const { text, tone } = expiry(at, useNow())
  return (
    <Tooltip content={timeText(at)} focusable>
      <span className={`nl-expiry nl-expiry-${tone}`}>{text}</span>
    </Tooltip>
  )
}
