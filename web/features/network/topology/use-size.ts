import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Steps in which a window grows before the layout follows. */
const STEP_PX = 8

const rounded = ({ clientWidth, clientHeight }: Element): Size => ({
  width: Math.floor(clientWidth / STEP_PX) * STEP_PX,
  height: Math.floor(clientHeight / STEP_PX) * STEP_PX,
})

/** Size of an element; null until it is known. */
export function useSize(element: RefObject<Element>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => {
      const next = rounded(current)
      setSize((before) => (before?.width === next.width && before.height === next.height ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return size
}
