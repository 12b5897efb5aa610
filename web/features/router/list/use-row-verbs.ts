import { useNavigate } from 'react-router'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { paths } from '#lib/paths.ts'
import { useMemberDialogs } from '../members/use-member-dialogs.tsx'
import { managedBlocked, type MemberRights, sharedBlocked } from '../rights.ts'
import type { RouterRow } from '../router-text.ts'

/** Actions on a row of the list, and the dialog that is open for one. */
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
