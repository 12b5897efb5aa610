import { useLayoutEffect } from 'react'
import { useLatest } from '#lib/use-latest.ts'

/* Hook that runs on Escape, for the topmost layer only. */

const stack: (() => void)[] = []
const CAPTURE = { capture: true } as const

/** In an open list or popup, Escape belongs to that element. */
const isInOpenPopup = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-expanded="true"], .semi-portal') !== null

/** Listens in the capture phase, because a Semi trigger stops the key even while its popup is closed. */
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
