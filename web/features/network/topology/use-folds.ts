import { useCallback, useRef, useState } from 'react'

/** Nodes that were opened; `consumeToggled` gives the last one that was opened or closed, once. */
export function useFolds() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggled = useRef<string | null>(null)
  const toggle = (id: string) => {
    toggled.current = id
    setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  }
  const consumeToggled = useCallback(() => {
    const id = toggled.current
    toggled.current = null
    return id
  }, [])
  return { open, toggle, consumeToggled }
}
