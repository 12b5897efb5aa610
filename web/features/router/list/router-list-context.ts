import { createDialogs } from '#ui/dialog/create-dialogs.tsx'

/* Props of the dialogs of the list of members, and the hook that opens them. */

export interface RouterListDialogProps {
  /** Suffix of software accounts; empty before it is set. */
  readonly sign: string
  readonly softwareCount: number
  readonly canEditSign: boolean
  readonly addsIntoNetwork: boolean
}

/** router-list-page.tsx has the component of each kind. */
export const { DialogProvider, useOpenDialog } = createDialogs<
  'claim' | 'claimMany' | 'software' | 'sign' | 'batch',
  RouterListDialogProps
>()
