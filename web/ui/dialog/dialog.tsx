import type { ComponentProps, ReactNode } from 'react'
import { Loading } from '#ui/state/loading.tsx'
import { Overlay } from './overlay.tsx'
import { PanelContent, type PanelContentProps } from './panel-content.tsx'

/* Dialog and side drawer for reading or choosing, and the dialog of loading data. For input see FormDialog. */

interface DialogProps extends PanelContentProps {
  readonly title: ReactNode
  readonly onClose: () => void
  readonly widthPx?: number
}

export function Dialog({ title, onClose, widthPx = 560, ...content }: DialogProps) {
  return (
    <Overlay kind="dialog" title={title} onClose={onClose} widthPx={widthPx} closeOutside>
      <PanelContent {...content} />
    </Overlay>
  )
}

/** Drawer with details, beside its list or graph; full width on a phone. Open while mounted. */
export function SideDrawer({ title, onClose, widthPx = 480, ...content }: DialogProps) {
  return (
    <Overlay kind="drawer" title={title} onClose={onClose} widthPx={widthPx} closeOutside>
      <PanelContent {...content} />
    </Overlay>
  )
}

/** Placeholder of a dialog while its data loads, or after the load has failed. */
export function LoadingDialog({
  query,
  ...frame
}: Omit<DialogProps, 'children'> & Pick<ComponentProps<typeof Loading>, 'query'>) {
  return (
    <Dialog widthPx={480} {...frame}>
      <Loading query={query} lines={4} />
    </Dialog>
  )
}
