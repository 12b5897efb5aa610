import { createDialogs } from '../../../ui/dialogs.tsx'

export interface RouterListDialogProps {
  /** Suffix of software accounts; empty where none is set yet. */
  readonly sign: string
  readonly softwareCount: number
  readonly canEditSign: boolean
}

/** Dialogs of the member list; what each kind shows stands in router-list-dialogs.tsx. */
export const { DialogProvider, useOpenDialog } = createDialogs<'claim' | 'software' | 'sign', RouterListDialogProps>()
