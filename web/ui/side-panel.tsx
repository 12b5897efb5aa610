import { type ReactNode, useEffect, useId, useRef } from 'react'
import { PanelContent, type PanelContentProps, PanelHead } from './panel-parts.tsx'
import { SideDrawer } from './side-drawer.tsx'
import './side-panel.css'
import { useMedia } from './use-media.ts'

/** From here on (MOBILE_BREAKPOINT_PX) there is room beside the content; below, the panel is a drawer over it. */
export const BESIDE = '(min-width: 992px)'

interface SidePanelProps extends PanelContentProps {
  readonly title: ReactNode
  readonly onClose: () => void
}

/** Details of what is selected, beside the content and not over it. Open as long as it is mounted. */
export function SidePanel(props: SidePanelProps) {
  return useMedia(BESIDE) ? <Aside {...props} /> : <SideDrawer {...props} />
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

/** Takes the focus from what opened it, and gives it back; one that the address opened leaves the focus alone. */
function useFocus(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const opener = document.activeElement
    const element = panel.current
    if (opener === null || opener === document.body) return
    element?.focus({ preventScroll: true })
    return () => {
      const isInside = document.activeElement === document.body || element?.contains(document.activeElement)
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [panel])
}
