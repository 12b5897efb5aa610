import { useLayoutEffect } from 'react'
import { useLatest } from '#lib/use-latest.ts'

const stack: (() => void)[] = []
const CAPTURE = { capture: true } as const

/** An open list under its field, or an element inside a popup, uses the key for itself. */
const isInOpenPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-expanded="true"], .semi-portal') !== null

/** Only the topmost layer handles Escape. Captured, because a Semi trigger stops the key also while its popup is closed. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || isInOpenPopup(event.target)) return
  stack.at(-1)?.()
}

export function useEscape(onEscape: () => void): void {
  const latest = useLatest(onEscape)
  useLayoutEffect(() => {
    const entry = () => latest.current()
    if (stack.length === 0) document.addEventListener('keydown', onKeyDown, CAPTURE)
    stack.push(entry)
    return () => {
      stack.splice(stack.indexOf(entry), 1)
      if (stack.length === 0) document.removeEventListener('keydown', onKeyDown, CAPTURE)
    }
  }, [latest])
}
