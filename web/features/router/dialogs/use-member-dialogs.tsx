import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { RouterRow } from '../router-text.ts'
import { NoteDialog } from './note-dialog.tsx'

export interface MemberDialogProps {
  readonly info: Pick<RouterRow, 'router_name' | 'note' | 'area_code' | 'phone'>
  readonly onClose: () => void
}

/** Dialogs of one row of the list. */
const DIALOGS = {
  note: NoteDialog,
  phone: lazy(() => import('./phone-dialog.tsx').then((m) => ({ default: m.PhoneDialog }))),
  password: lazy(() => import('./member-password-dialog.tsx').then((m) => ({ default: m.MemberPasswordDialog }))),
  logins: lazy(() => import('./logins-dialog.tsx').then((m) => ({ default: m.LoginsDialog }))),
  dials: lazy(() => import('./dials-dialog.tsx').then((m) => ({ default: m.DialsDialog }))),
  usage: lazy(() => import('./usage-dialog.tsx').then((m) => ({ default: m.UsageDialog }))),
} satisfies Record<string, ComponentType<MemberDialogProps>>

type Kind = keyof typeof DIALOGS

interface MemberDialogs {
  readonly open: (kind: Kind, info: MemberDialogProps['info']) => void
  /** The open one. */
  readonly dialog: ReactNode
}

export function useMemberDialogs(): MemberDialogs {
  const [asked, setAsked] = useState<{ readonly kind: Kind; readonly info: MemberDialogProps['info'] } | null>(null)
  const Dialog = asked && DIALOGS[asked.kind]
  return {
    open: (kind, info) => setAsked({ kind, info }),
    dialog: Dialog && (
      <Suspense fallback={null}>
        <Dialog info={asked.info} onClose={() => setAsked(null)} />
      </Suspense>
    ),
  }
}
