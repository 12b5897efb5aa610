import { useCallback, useRef } from 'react'

/** Marks a box whose content goes on behind its left or right edge: `data-more="start end"`. */
export function useScrollShadow(): (box: HTMLElement | null) => void {
  const release = useRef<() => void>(undefined)
  return useCallback((box: HTMLElement | null) => {
    release.current?.()
    release.current = undefined
    if (box === null) return
    const mark = () => {
      const left = box.scrollWidth - box.clientWidth - box.scrollLeft
      const more = [box.scrollLeft > 1 && 'start', left > 1 && 'end'].filter(Boolean).join(' ')
      if (box.dataset['more'] !== more) box.dataset['more'] = more
    }
    const watch = new ResizeObserver(mark)
    watch.observe(box)
    for (const child of box.children) watch.observe(child)
    box.addEventListener('scroll', mark, { passive: true })
    release.current = () => {
      watch.disconnect()
      box.removeEventListener('scroll', mark)
    }
  }, [])
}
