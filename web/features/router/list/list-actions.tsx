import { useNavigate } from 'react-router'
import { DIRECTORY_OFF, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { paths } from '#lib/paths.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { saveExport, useDirectoryStatus } from '../api.ts'
import { useOpenDialog } from './router-list-context.ts'
import type { MemberRights } from '../rights.ts'

interface ListActionsProps {
  readonly rights: MemberRights
  readonly isHardware: boolean
  readonly add: RowAction
  readonly onDelete: () => void
}

/** Verbs of the member list; files and the directory are for software members only. */
export const ListActions = ({ isHardware, ...props }: ListActionsProps) =>
  isHardware ? props.rights.add && <AddButton action={props.add} /> : <SoftwareActions {...props} />

function SoftwareActions({ rights, add, onDelete }: Omit<ListActionsProps, 'isHardware'>) {
  const open = useOpenDialog()
  const navigate = useNavigate()
  const directory = useDirectoryStatus(rights.seeDirectory).data
  return (
    <PageActions
      subject="软件成员"
      main={rights.add ? [add] : []}
      beside={[
        ...(rights.add ? [{ label: '批量添加', onSelect: () => open('batch') }] : []),
        ...(directory !== undefined && directory.data.sync_mode !== LDAP_SYNC.automatic
          ? [
              {
                label: '同步用户',
                blocked: directory.enable === 1 ? null : DIRECTORY_OFF,
                onSelect: () => void navigate(paths.directoryUsers),
              },
            ]
          : []),
      ]}
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
