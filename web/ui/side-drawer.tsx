import type { ReactNode } from 'react'
import { Overlay } from './overlay.tsx'

interface SideDrawerProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly widthPx?: number
}

/** Drawer with details, beside its list or graph; full width on a phone. Open as long as it is mounted. */
export function SideDrawer({ title, onClose, children, footer, widthPx = 480 }: SideDrawerProps) {
  return (
    <Overlay kind="drawer" title={title} onClose={onClose} widthPx={widthPx} closeOutside>
      <div className="nl-panel-body">{children}</div>
      {footer !== undefined && <footer className="nl-panel-foot">{footer}</footer>}
    </Overlay>
  )
}
