import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import type { RouterEvents } from '#contract/router/views.ts'
import { timeText } from '#lib/format/format-time.ts'
import '#ui/chart/bars/state-bar.css'
import { StatusBadge } from './status-badge.tsx'

/* List of state changes, newest first, with time and reason. */

type Transition = RouterEvents['transitions'][number]

interface TransitionListProps<T extends Transition> {
  readonly label: string
  /** Newest first. */
  readonly transitions: readonly T[]
  readonly shown?: number
  /** Object whose state changed, for a list about several objects. */
  readonly subject?: (transition: T) => ReactNode
  readonly empty: string
  /** The member dials on demand: 离线 (offline) is no fault. */
  readonly isOnDemand?: boolean
}

export function TransitionList<T extends Transition>(props: TransitionListProps<T>) {
  const { label, transitions, shown = 5, subject, empty, isOnDemand = false } = props
  const [isWhole, setWhole] = useState(false)
  if (transitions.length === 0) return <p className="nl-muted">{empty}</p>
  return (
    <>
      <ol className="nl-lined nl-transitions" aria-label={label}>
        {transitions.slice(0, isWhole ? undefined : shown).map((transition, index) => (
          // Two members may change at the same time.
          <li key={`${transition.at} ${index}`}>
            {subject?.(transition)}
            <Change transition={transition} isOnDemand={isOnDemand} />
          </li>
        ))}
      </ol>
      {!isWhole && transitions.length > shown && (
        <Button theme="borderless" size="small" onClick={() => setWhole(true)}>
          全部 {transitions.length} 条
        </Button>
      )}
    </>
  )
}

function Change({ transition, isOnDemand }: { readonly transition: Transition; readonly isOnDemand: boolean }) {
  const { from, to, at, reason } = transition
  return (
    <>
      <span className="nl-flow nl-transition">
        <StatusBadge state={from} isOnDemand={isOnDemand} />
        <span aria-hidden="true">→</span>
        <span className="nl-sr">变为</span>
        <StatusBadge state={to} isOnDemand={isOnDemand} />
        <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
      </span>
      {reason !== '' && <span className="nl-transition-reason">{reason}</span>}
    </>
  )
}
