import { type PointerEvent, useEffect, useRef, useState } from 'react'

const LEAVE_MS = 150 // the way from the button to what it opened

/** Open state of a popup that a press opens, and a mouse by resting on `hover` (the button and the popup alike). */
export function useHoverOpen() {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = (open: boolean) => {
    clearTimeout(timer.current)
    setOpen(open)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    isOpen,
    setOpen: set,
    hover: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') set(true)
      },
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse') timer.current = setTimeout(() => setOpen(false), LEAVE_MS)
      },
    },
  }
}
