import SemiTooltip from '@douyinfe/semi-ui/lib/es/tooltip'
import type { ReactNode } from 'react'
import './tooltip.css'

/* Tooltip, and text that is cut with the whole text in its tooltip. */

interface TooltipProps {
  readonly content: ReactNode
  readonly children: ReactNode
  /** Leave it out if the child itself can take the focus, such as a button. */
  readonly focusable?: boolean
}

/** Tooltip for mouse, keyboard and touch. The span is the trigger node for Semi, whatever the child is. */
export function Tooltip({ content, children, focusable = false }: TooltipProps) {
  return (
    <SemiTooltip content={content} position="top">
      <span className="nl-tooltip" {...(focusable && { tabIndex: 0 })}>
        {children}
      </span>
    </SemiTooltip>
  )
}

/** Cuts a text after `max` characters and shows the whole text in the tooltip. */
export function TruncatedText({ text, max }: { readonly text: string; readonly max: number }) {
  const characters = [...text]
  if (characters.length <= max) return <>{text}</>
  return (
    <Tooltip content={text} focusable>
      {characters.slice(0, max).join('')}…
    </Tooltip>
  )
}
