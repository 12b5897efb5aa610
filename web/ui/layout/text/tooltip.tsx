import SemiTooltip from '@douyinfe/semi-ui/lib/es/tooltip'
import type { ReactNode } from 'react'
import './text.css'
import './tooltip.css'

interface TooltipProps {
  readonly content: ReactNode
  readonly children: ReactNode
  /** Leave out where the child can take the focus itself, as a button does. */
  readonly focusable?: boolean
}

/** A tooltip for mouse, keyboard and touch. The span is Semi's trigger node, whatever the child is. */
export function Tooltip({ content, children, focusable = false }: TooltipProps) {
  return (
    <SemiTooltip content={content} position="top">
      <span className="nl-tooltip" {...(focusable && { tabIndex: 0 })}>
        {children}
      </span>
    </SemiTooltip>
  )
}

/** Cuts a text after `max` characters and keeps the whole of it in the tooltip. */
export function TruncatedText({ text, max }: { readonly text: string; readonly max: number }) {
  const characters = [...text]
  if (characters.length <= max) return <>{text}</>
  return (
    <Tooltip content={text} focusable>
      {characters.slice(0, max).join('')}…
    </Tooltip>
  )
}
