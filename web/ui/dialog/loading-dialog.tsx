import type { ComponentProps } from 'react'
import { Loading } from '#ui/state/loading.tsx'
import { Dialog } from './dialog.tsx'

/* Placeholder of a dialog while its data loads, or after the load has failed. */

type LoadingDialogProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'onClose'> &
  Pick<ComponentProps<typeof Loading>, 'query'>

export function LoadingDialog({ query, ...frame }: LoadingDialogProps) {
  return (
    <Dialog widthPx={480} {...frame}>
      <Loading query={query} lines={4} />
    </Dialog>
  )
}
