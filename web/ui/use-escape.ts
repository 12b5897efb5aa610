import { useEffect } from 'react'
import { useLatest } from '../lib/use-latest.ts'

const stack: (() => void)[] = []

/** Only the topmost layer handles Escape. A popup that used the key has stopped its propagation. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  stack.at(-1)?.()
}

export function useEscape(onEscape: () => void): void {
  const latest = useLatest(onEscape)
  useEffect(() => {
    const entry = () => latest.current()
    if (stack.length === 0) document.addEventListener('keydown', onKeyDown)
    stack.push(entry)
    return () => {
      stack.splice(stack.indexOf(entry), 1)
      if (stack.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [latest])
}
