import { Tooltip } from './tooltip.tsx'
import './text.css'

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
