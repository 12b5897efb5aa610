import type { ReactNode } from 'react'
import './status.css'

/* Icon of a state with its shape and colour, and the icon beside a word. */

/** Each state has its own shape, so that colour is not the only cue (WCAG 1.4.1). */
export type Shape =
  | 'disc'
  | 'half'
  | 'ring'
  | 'diamond'
  | 'dashed'
  | 'dash'
  | 'question'
  | 'tick'
  | 'cross'
  | 'arrow'
  | 'dots'
  | 'unequal'
  | 'back'
export type Tone = 'ok' | 'warn' | 'bad' | 'idle' | 'busy'

const STROKE = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  disc: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  half: (
    <>
      <circle cx="6" cy="6" r="4" {...STROKE} />
      <path d="M6 2a4 4 0 0 1 0 8z" fill="currentColor" />
    </>
  ),
  ring: <circle cx="6" cy="6" r="4" {...STROKE} />,
  diamond: <path d="M6 1.5 10.5 6 6 10.5 1.5 6z" {...STROKE} />,
  dashed: <circle cx="6" cy="6" r="4.5" {...STROKE} strokeWidth={1.5} strokeDasharray="1.5 3.2" />,
  dash: <path d="M2 6h8" {...STROKE} />,
  question: <path d="M3.8 4.2a2.2 2.2 0 1 1 3.3 1.9C6.4 6.5 6 6.9 6 7.6M6 10.4v.1" {...STROKE} strokeWidth={1.7} />,
  tick: <path d="m2 6.4 2.7 2.7L10 3.4" {...STROKE} />,
  cross: <path d="m2.8 2.8 6.4 6.4m0-6.4L2.8 9.2" {...STROKE} />,
  arrow: <path d="M6 1.8v7.4M2.8 6 6 9.2 9.2 6" {...STROKE} />,
  dots: (
    <>
      <circle cx="2" cy="6" r="1.3" fill="currentColor" />
      <circle cx="6" cy="6" r="1.3" fill="currentColor" />
      <circle cx="10" cy="6" r="1.3" fill="currentColor" />
    </>
  ),
  unequal: <path d="M2 4.3h8M2 7.9h8M8 1.8 4 10.4" {...STROKE} strokeWidth={1.6} />,
  back: <path d="M4.4 1.8 2 4.2l2.4 2.4M2.3 4.2h4.4a3 3 0 0 1 0 6H4" {...STROKE} strokeWidth={1.7} />,
}

export interface StatusStyle {
  readonly shape: Shape
  readonly tone: Tone
}

export function Icon({ shape, tone }: StatusStyle) {
  return (
    <svg className={`nl-icon nl-tone-${tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  )
}

/** Word of a state with its icon. */
export function StatusWord({ shape, tone, word }: StatusStyle & { readonly word: ReactNode }) {
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      <span className="nl-status-word">{word}</span>
    </span>
  )
}
