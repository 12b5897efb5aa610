import { createDialogs } from '#ui/dialog/create-dialogs.tsx'
import type { Member, NetworkInfo } from '../projection.ts'

export interface NetworkDialogProps {
  readonly info: NetworkInfo
  /** Call once the change is saved: the page follows how it is rolled out. */
  readonly onSaved: () => void
  readonly onClose: () => void
}

export interface MemberDialogProps extends NetworkDialogProps {
  readonly member: Member
}

/** Opens a dialog of dialog-table.ts by its key; one of a member takes the member's name as its subject. */
export const { DialogProvider, useOpenDialog } = createDialogs<string, Omit<NetworkDialogProps, 'onClose'>>()
