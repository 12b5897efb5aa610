import type { ReactNode } from 'react'
import { Overlay } from './overlay.tsx'

interface DialogProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode
  readonly widthPx?: number
}

/** A dialog to read or to choose in, open as long as it is mounted. For input see FormDialog. */
export function Dialog({ title, onClose, children, footer, widthPx = 560 }: DialogProps) {
  return (
    <Overlay kind="dialog" title={title} onClose={onClose} widthPx={widthPx} closeOutside>
      <div className="nl-panel-body">{children}</div>
      {footer !== undefined && <footer className="nl-panel-foot">{footer}</footer>}
    </Overlay>
  )
}
