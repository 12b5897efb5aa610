import { type ComponentType, type ReactNode, useRef } from 'react'
import { createDialogs } from '../../../ui/dialogs.tsx'
import type { NetworkInfo } from '../projection.ts'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export interface NetworkDialogProps {
  readonly info: NetworkInfo
  /** Call once the change is saved: the page follows how it is rolled out. */
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Dialogs of the network page; `useOpenDialog()('rename')` opens one. */
const DIALOGS = {
  rename: RenameDialog,
  addMember: AddMemberDialog,
} satisfies Record<string, ComponentType<NetworkDialogProps>>

const { DialogProvider, useOpenDialog } = createDialogs<keyof typeof DIALOGS, Omit<NetworkDialogProps, 'onClose'>>()
export { useOpenDialog }

interface NetworkDialogsProps {
  readonly info: NetworkInfo
  /** Records the state before a change; call what it returns once the change is saved. */
  readonly prepare: () => () => void
  readonly children: ReactNode
}

export function NetworkDialogs({ info, prepare, children }: NetworkDialogsProps) {
  const onSaved = useRef(() => {})
  return (
    <DialogProvider
      table={DIALOGS}
      props={{ info, onSaved: () => onSaved.current() }}
      onOpen={() => {
        onSaved.current = prepare()
      }}
    >
      {children}
    </DialogProvider>
  )
}
