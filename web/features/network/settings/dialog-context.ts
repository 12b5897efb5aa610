import { createDialogs } from '#ui/dialog/create-dialogs.tsx'
import type { Member, NetworkInfo } from '../live-network.ts'

/* Props of the dialogs of a network and its members, and the hook that opens them. */

export interface NetworkDialogProps {
  readonly info: NetworkInfo
  /** Call once the change is saved: the page follows how it is rolled out. */
  readonly onSaved: () => void
  readonly onClose: () => void
}

export interface MemberDialogProps extends NetworkDialogProps {
  readonly member: Member
}

/** Opens a dialog of dialog-table.ts by its key; the subject of a member's dialog is the member's name. */
export const { DialogProvider, useOpenDialog } = createDialogs<string, Omit<NetworkDialogProps, 'onClose'>>()
