import { ActionButton } from '../../../ui/action-button.tsx'
import { PageActions } from '../../../ui/page-actions.tsx'
import type { RowAction } from '../../../ui/row-actions.tsx'
import { saveExport } from '../api.ts'
import { useOpenDialog } from '../dialogs/open-dialog.ts'
import type { MemberRights } from '../rights.ts'

interface ListActionsProps {
  readonly rights: MemberRights
  readonly isHardware: boolean
  readonly add: RowAction
  readonly onDelete: () => void
}

/** Verbs of the member list; files are for software members only. */
export function ListActions({ rights, isHardware, add, onDelete }: ListActionsProps) {
  const open = useOpenDialog()
  if (isHardware) return rights.add && <AddButton action={add} />
  return (
    <PageActions
      subject="软件成员"
      main={rights.add ? [add] : []}
      beside={rights.add ? [{ label: '批量添加', onSelect: () => open('batch') }] : []}
      more={[
        ...(rights.edit ? [{ label: '导出', onSelect: saveExport }] : []),
        ...(rights.delete ? [{ label: '批量删除', danger: true, onSelect: onDelete }] : []),
      ]}
    />
  )
}

export function AddButton({ action: { label, blocked = null, onSelect } }: { readonly action: RowAction }) {
  return (
    <ActionButton theme="solid" type="primary" blocked={blocked} onClick={() => onSelect?.()}>
      {label}
    </ActionButton>
  )
}
