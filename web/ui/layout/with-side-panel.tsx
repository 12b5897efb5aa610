import { type ReactNode, useCallback, useRef } from 'react'
import '#ui/dialog/side-panel.css'

/* Layout of content with an open SidePanel beside it; both can fill the window below the parts above (`--nl-top`). */

/** Writes the distance of an element from the top of the page into its `--nl-top`, so that it can fill the window. */
function useTopOffset(): (element: HTMLElement | null) => void {
  const release = useRef<() => void>(undefined)
  return useCallback((element: HTMLElement | null) => {
    release.current?.()
    release.current = undefined
    if (element === null) return
    const measure = () => {
      const top = `${Math.round(element.getBoundingClientRect().top + window.scrollY)}px`
      if (element.style.getPropertyValue('--nl-top') !== top) element.style.setProperty('--nl-top', top)
    }
    // The content above grows and shrinks: notices come and go, buttons wrap.
    const watch = new ResizeObserver(measure)
    for (let box = element.parentElement; box !== null; box = box.parentElement) watch.observe(box)
    measure()
    release.current = () => watch.disconnect()
  }, [])
}

export function Beside({ children }: { readonly children: ReactNode }) {
  const place = useTopOffset()
  return (
    <div ref={place} className="nl-beside">
      {children}
    </div>
  )
}
