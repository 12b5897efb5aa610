import type { RowAction } from '../../ui/row-actions.tsx'
import { useMemberDialogs } from './dialogs/use-member-dialogs.tsx'
import { type MemberRights, sharedBlocked } from './rights.ts'
import type { RouterRow } from './router-text.ts'

/** What can be done with a row of the list, and the dialog that is open for one. */
export function useRowVerbs(rights: MemberRights, isHardware: boolean, remove: (row: RouterRow) => Promise<void>) {
  const { open, dialog } = useMemberDialogs()
  const edits = (row: RouterRow): readonly RowAction[] => [
    { label: '备注', onSelect: () => open('note', row) },
    ...(isHardware
      ? []
      : [
          { label: '绑定手机', onSelect: () => open('phone', row) },
          { label: '修改密码', onSelect: () => open('password', row) },
        ]),
  ]
  return {
    dialog,
    records: (row: RouterRow): readonly RowAction[] => [
      ...(rights.seeLogins ? [{ label: '登录记录', onSelect: () => open('logins', row) }] : []),
      { label: '拨号记录', onSelect: () => open('dials', row) },
      { label: '用量', onSelect: () => open('usage', row) },
    ],
    changes: (row: RouterRow): readonly RowAction[] =>
      [
        ...(rights.edit ? edits(row) : []),
        ...(rights.delete ? [{ label: '删除', danger: true, onSelect: () => void remove(row) }] : []),
      ].map((action) => ({ ...action, blocked: sharedBlocked(row) })),
  }
}
