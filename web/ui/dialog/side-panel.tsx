import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { topLayer, useHasLayer } from './layers.ts'
import { PanelContent, type PanelContentProps, PanelHead } from './panel-content.tsx'
import { SideDrawer } from './dialog.tsx'
import './side-panel.css'
import { useMedia } from '#ui/hooks/use-media.ts'

/*
 * Side panel: details of the selected object beside the content, on narrow windows a drawer. Open while mounted. Both can
 * fill the window below the parts above (`--nl-top`).
 */

/** Width from which there is room beside the content (MOBILE_BREAKPOINT_PX); below it the panel is a drawer. */
export const BESIDE = '(min-width: 992px)'

interface SidePanelProps extends PanelContentProps {
  readonly title: ReactNode
  readonly onClose: () => void
}

export function SidePanel(props: SidePanelProps) {
  return useIsBeside() ? <Aside {...props} /> : <SideDrawer {...props} />
}

/** If a window gets narrow under a dialog, the panel stays: a drawer would cover the dialog. */
function useIsBeside(): boolean {
  const isWide = useMedia(BESIDE)
  const isCovered = useHasLayer()
  const [isBeside, setIsBeside] = useState(isWide)
  const next = isWide || (isBeside && isCovered)
  if (next !== isBeside) setIsBeside(next)
  return next
}

function Aside({ title, onClose, ...content }: SidePanelProps) {
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  useFocus(panel)
  return (
    <aside
      ref={panel}
      className="nl-side-panel"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <PanelHead {...{ title, titleId, onClose }} />
      <PanelContent {...content} />
    </aside>
  )
}

/** Takes the focus from the opener and returns it. Opened by the address or under a dialog, it leaves the focus alone. */
function useFocus(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const opener = document.activeElement
    const element = panel.current
    if (opener === null || opener === document.body || topLayer() !== undefined) return
    element?.focus({ preventScroll: true })
    return () => {
      const isInside = document.activeElement === document.body || element?.contains(document.activeElement)
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [panel])
}

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

/** Width that the content around an element has while no panel is beside it. */
export const widthWithoutPanel = (element: Element): number => (element.closest('.nl-beside') ?? element).clientWidth

export function Beside({ children }: { readonly children: ReactNode }) {
  const place = useTopOffset()
  return (
    <div ref={place} className="nl-beside">
      {children}
    </div>
  )
}
