import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import type { ReactNode } from 'react'

/* Head, content and foot of dialogs, drawers and side panels. */

export function PanelHead({ title, titleId, onClose }: { title: ReactNode; titleId: string; onClose: () => void }) {
  return (
    <header className="nl-panel-head">
      <h2 id={titleId}>{title}</h2>
      <button type="button" className="nl-icon-button" aria-label="关闭" onClick={onClose}>
        <IconClose />
      </button>
    </header>
  )
}

export interface PanelContentProps {
  readonly children: ReactNode
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode
}

export function PanelContent({ children, footer }: PanelContentProps) {
  return (
    <>
      <div className="nl-panel-body">{children}</div>
      {footer !== undefined && <footer className="nl-flow nl-panel-foot">{footer}</footer>}
    </>
  )
}
