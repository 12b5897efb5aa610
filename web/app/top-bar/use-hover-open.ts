import { useEffect, useRef, useState } from 'react'

/* Hook for the open state of a hover dropdown. Spread `hover` on button and popup; other inputs call `setOpen`. */

const LEAVE_MS = 150 // time for the pointer to cross the gap between button and popup

type Pointer = Pick<PointerEvent, 'pointerType'>

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
      onPointerEnter: ({ pointerType }: Pointer) => {
        if (pointerType === 'mouse') set(true)
      },
      onPointerLeave: ({ pointerType }: Pointer) => {
        if (pointerType === 'mouse') timer.current = setTimeout(() => setOpen(false), LEAVE_MS)
      },
    },
  }
}
