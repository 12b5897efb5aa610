import { type ComponentType, type ReactNode, useState } from 'react'
import type { RouterRow } from '../router-text.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

export interface MemberDialogProps {
  readonly info: Pick<RouterRow, 'router_name' | 'note' | 'note_revision' | 'area_code' | 'phone'>
  readonly onClose: () => void
}

/** Dialogs of one row of the list, each a chunk of its own. */
const DIALOGS = {
  note: lazyDialog(() => import('./note-dialog.tsx').then((m) => ({ default: m.NoteDialog }))),
  phone: lazyDialog(() => import('#ui/member/phone-dialog.tsx').then((m) => ({ default: m.PhoneDialog }))),
  password: lazyDialog(() =>
    import('#ui/member/member-password-dialog.tsx').then((m) => ({ default: m.MemberPasswordDialog })),
  ),
  logins: lazyDialog(() => import('./logins-dialog.tsx').then((m) => ({ default: m.LoginsDialog }))),
  dials: lazyDialog(() => import('./dials-dialog.tsx').then((m) => ({ default: m.DialsDialog }))),
  usage: lazyDialog(() => import('./usage-dialog.tsx').then((m) => ({ default: m.UsageDialog }))),
} satisfies Record<string, ComponentType<MemberDialogProps>>

type Kind = keyof typeof DIALOGS

interface MemberDialogs {
  readonly open: (kind: Kind, info: MemberDialogProps['info']) => void
  /** Dialog that is open. */
  readonly dialog: ReactNode
}

export function useMemberDialogs(): MemberDialogs {
  const [asked, setAsked] = useState<{ readonly kind: Kind; readonly info: MemberDialogProps['info'] } | null>(null)
  const Dialog = asked && DIALOGS[asked.kind]
  return {
    open: (kind, info) => setAsked({ kind, info }),
    dialog: Dialog && <Dialog info={asked.info} onClose={() => setAsked(null)} />,
  }
}
