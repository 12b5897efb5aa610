import { type RefObject, useEffect, useState } from 'react'

/** False while the element is scrolled out of sight; true where the browser cannot tell. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(true)
  useEffect(() => {
    if (element.current === null || !('IntersectionObserver' in globalThis)) return
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting ?? true))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isInView
}
