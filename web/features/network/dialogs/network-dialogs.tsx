import { type ComponentType, type ReactNode, useRef } from 'react'
import { createDialogs } from '../../../ui/dialogs.tsx'
import type { RowAction } from '../../../ui/row-actions.tsx'
import type { NetworkInfo } from '../projection.ts'
import { blockedBy, type NetworkRights, quotaBlocked, toActions } from '../rights.ts'
import type { PrepareRollout } from '../use-rollout.ts'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { CiphersDialog } from './ciphers-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

export interface NetworkDialogProps {
  readonly info: NetworkInfo
  /** Call once the change is saved: the page follows how it is rolled out. */
  readonly onSaved: () => void
  readonly onClose: () => void
}

interface DialogRow {
  readonly Dialog: ComponentType<NetworkDialogProps>
  /** Text of what opens it. */
  readonly label: string
  readonly right: keyof NetworkRights
  /** What it saves is pushed to no device: there is no roll-out to follow. */
  readonly isLocal?: boolean
  /** Why it cannot be opened although the right is there. */
  readonly blocked?: (info: NetworkInfo) => string | null
}

/** Dialogs of the network page in the order of its menu: a row is all that the page needs to offer one. */
const DIALOGS = {
  rename: { Dialog: RenameDialog, label: '重命名', right: 'rename', isLocal: true },
  ciphers: { Dialog: CiphersDialog, label: '加密算法…', right: 'resend' },
  addMember: { Dialog: AddMemberDialog, label: '添加成员', right: 'add', blocked: quotaBlocked },
} satisfies Record<string, DialogRow>

type Kind = keyof typeof DIALOGS
const ROWS = Object.entries<DialogRow>(DIALOGS) as readonly (readonly [Kind, DialogRow])[]
const COMPONENTS = Object.fromEntries(ROWS.map(([kind, { Dialog }]) => [kind, Dialog])) as Record<
  Kind,
  DialogRow['Dialog']
>
const { DialogProvider, useOpenDialog } = createDialogs<Kind, Omit<NetworkDialogProps, 'onClose'>>()

/** What opens each dialog: none where the role lacks the right, blocked with the reason where it cannot be opened. */
export function useDialogActions(info: NetworkInfo, rights: NetworkRights): Record<Kind, readonly RowAction[]> {
  const open = useOpenDialog()
  const toAction = ([kind, { label, right, blocked }]: (typeof ROWS)[number]) => {
    const reason = blockedBy(rights[right]) ?? blocked?.(info) ?? null
    return [kind, toActions(rights[right], { label, blocked: reason, onSelect: () => open(kind) })]
  }
  return Object.fromEntries(ROWS.map(toAction)) as Record<Kind, readonly RowAction[]>
}

interface NetworkDialogsProps {
  readonly info: NetworkInfo
  readonly prepare: PrepareRollout
  readonly children: ReactNode
}

export function NetworkDialogs({ info, prepare, children }: NetworkDialogsProps) {
  const onSaved = useRef(() => {})
  return (
    <DialogProvider
      table={COMPONENTS}
      props={{ info, onSaved: () => onSaved.current() }}
      onOpen={(kind) => {
        const { isLocal = false }: DialogRow = DIALOGS[kind]
        onSaved.current = isLocal ? () => {} : prepare('saved')
      }}
    >
      {children}
    </DialogProvider>
  )
}
