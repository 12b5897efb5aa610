import type { DialogProps } from './dialog.tsx'
import { Overlay } from './overlay.tsx'
import { PanelContent } from './panel-content.tsx'

/** Drawer with details, beside its list or graph; full width on a phone. Open as long as it is mounted. */
export function SideDrawer({ title, onClose, widthPx = 480, ...content }: DialogProps) {
  return (
    <Overlay kind="drawer" title={title} onClose={onClose} widthPx={widthPx} closeOutside>
      <PanelContent {...content} />
    </Overlay>
  )
}
