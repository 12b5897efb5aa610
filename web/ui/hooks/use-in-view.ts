import { type RefObject, useEffect, useState } from 'react'

const MARGIN = '100px' // what is about to be scrolled into sight is drawn before

/** False while the element is scrolled out of sight; true where the browser cannot tell. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(true)
  useEffect(() => {
    if (element.current === null || !('IntersectionObserver' in globalThis)) return
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: MARGIN,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isInView
}
