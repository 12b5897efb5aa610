import { type ComponentType, useState } from 'react'
import { useNavigate } from 'react-router'
import { copyWithToast } from '#lib/clipboard.ts'
import { paths } from '#lib/paths.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { managedBlocked, type MemberRights, sharedBlocked } from '../rights.ts'
import type { RouterRow } from '../router-text.ts'
import { guideText } from './guide-text.ts'

/* Actions on one row of the list of members, and the dialogs that they open. */

export interface MemberDialogProps {
  readonly info: Pick<RouterRow, 'router_name' | 'note' | 'note_revision' | 'area_code' | 'phone'>
  readonly onClose: () => void
}

const DIALOGS = {
  note: lazyDialog(() => import('#ui/member/member-note-dialog.tsx').then((m) => m.MemberNoteDialog)),
  phone: lazyDialog(() => import('#ui/member/phone-dialog.tsx').then((m) => m.PhoneDialog)),
  password: lazyDialog(() => import('#ui/member/member-password-dialog.tsx').then((m) => m.MemberPasswordDialog)),
  logins: lazyDialog(() => import('./record-dialogs.tsx').then((m) => m.LoginsDialog)),
  dials: lazyDialog(() => import('./record-dialogs.tsx').then((m) => m.DialsDialog)),
  usage: lazyDialog(() => import('./record-dialogs.tsx').then((m) => m.UsageDialog)),
} satisfies Record<string, ComponentType<MemberDialogProps>>

type Kind = keyof typeof DIALOGS

function useMemberDialogs() {
  const [asked, setAsked] = useState<{ readonly kind: Kind; readonly info: MemberDialogProps['info'] } | null>(null)
  const Dialog = asked && DIALOGS[asked.kind]
  return {
    open: (kind: Kind, info: MemberDialogProps['info']) => setAsked({ kind, info }),
    dialog: Dialog && <Dialog info={asked.info} onClose={() => setAsked(null)} />,
  }
}

export function useRowVerbs(rights: MemberRights, isHardware: boolean, remove: (row: RouterRow) => Promise<void>) {
  const { open, dialog } = useMemberDialogs()
  const navigate = useNavigate()
  const edits = (row: RouterRow): readonly RowAction[] => [
    { label: '备注', onSelect: () => open('note', row) },
    ...(isHardware
      ? []
      : [
          { label: '绑定手机', blocked: managedBlocked(row), onSelect: () => open('phone', row) },
          { label: '修改密码', blocked: managedBlocked(row), onSelect: () => open('password', row) },
        ]),
  ]
  return {
    dialog,
    records: (row: RouterRow): readonly RowAction[] => [
      { label: '复制接入说明', onSelect: () => void copyWithToast(guideText(row.router_name)) },
      ...(rights.seeLogins ? [{ label: '登录记录', onSelect: () => open('logins', row) }] : []),
      { label: '拨号记录', onSelect: () => open('dials', row) },
      { label: '用量', onSelect: () => open('usage', row) },
      ...(rights.seeDirectory && row.source === 'ldap'
        ? [{ label: '目录用户', onSelect: () => void navigate(paths.directoryUsers) }]
        : []),
    ],
    changes: (row: RouterRow): readonly RowAction[] =>
      [
        ...(rights.edit ? edits(row) : []),
        ...(rights.delete
          ? [{ label: '删除', danger: true, blocked: managedBlocked(row), onSelect: () => void remove(row) }]
          : []),
      ].map((action) => ({ ...action, blocked: sharedBlocked(row) ?? action.blocked ?? null })),
  }
}
