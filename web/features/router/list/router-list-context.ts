import { createDialogs } from '#ui/dialog/create-dialogs.tsx'

export interface RouterListDialogProps {
  /** Suffix of software accounts; empty where none is set yet. */
  readonly sign: string
  readonly softwareCount: number
  readonly canEditSign: boolean
  readonly addsIntoNetwork: boolean
}

/** Dialogs of the member list; router-list-page.tsx has the component of each kind. */
export const { DialogProvider, useOpenDialog } = createDialogs<
  'claim' | 'software' | 'sign' | 'batch',
  RouterListDialogProps
>()
