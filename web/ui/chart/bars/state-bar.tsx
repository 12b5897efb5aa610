import SemiTooltip from '@douyinfe/semi-ui/lib/es/tooltip'
import type { RouterEvents } from '#contract/router/views.ts'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { briefDuration, shortTimeText, durationText } from '#lib/format/format-time.ts'
import './state-bar.css'
import { type StateSegment, stateShares, toSegments } from './state-segments.ts'

/* Bar of the states of a member over the last 24 hours, each with its own colour and form. */

interface StateBarProps {
  /** Name of the member or object, for screen readers. */
  readonly label: string
  readonly events: Pick<RouterEvents, 'bar' | 'transitions'>
  readonly isStale?: boolean
}

export function StateBar({ label, events, isStale = false }: StateBarProps) {
  const segments = toSegments(events)
  const shares = stateShares(segments)
  const words = shares.map(([state, spanMs]) => `${wordOf(state)} ${durationText(spanMs)}`).join('，')
  return (
    <div className="nl-state-bar" data-stale={isStale || undefined}>
      <div className="nl-state-segments" role="img" aria-label={`${label}：${words}`}>
        {segments.map((segment) => (
          <SemiTooltip key={segment.fromMs} content={segmentText(segment)}>
            <span
              className="nl-state-segment"
              data-state={segment.state ?? 'unknown'}
              style={{ flexGrow: segment.toMs - segment.fromMs }}
            />
          </SemiTooltip>
        ))}
      </div>
      <div className="nl-state-axis" aria-hidden="true">
        <span>{shortTimeText(events.bar.from)}</span>
        <span>{shortTimeText(events.bar.to)}</span>
      </div>
      <p className="nl-state-shares" aria-hidden="true">
        {shares.map(([state, spanMs]) => (
          <span key={state}>
            {wordOf(state)} {shareText(spanMs)}
          </span>
        ))}
      </p>
    </div>
  )
}

const shareText = (spanMs: number): string => (spanMs < 60_000 ? '不足 1 分' : briefDuration(spanMs))

const wordOf = (state: StateSegment['state']): string => (state === null ? '未知' : PRESENCE_WORD[state])

const segmentText = ({ state, fromMs, toMs }: StateSegment): string =>
  `${wordOf(state)} · ${shortTimeText(fromMs)} – ${shortTimeText(toMs)} · ${durationText(toMs - fromMs)}`
