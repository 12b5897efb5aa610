import { ramEditForm } from '#contract/ram/index.ts'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { type RamRow, useEditRam } from './api.ts'
import { PersonFields } from './person-fields.tsx'
import styles from './edit-ram-dialog.module.css'

interface EditRamDialogProps {
  readonly ram: RamRow
  /** Text after the account: `@suffix`. */
  readonly suffix: string
  readonly onClose: () => void
}

/** The account itself is read only (directory 2). */
export function EditRamDialog({ ram, suffix, onClose }: EditRamDialogProps) {
  const edit = useEditRam()
  const { id, username, nickname, role_id } = ram
  const form = useContractForm(
    ramEditForm,
    { nickname, role_id, password: '' },
    { draft: { key: `ram ${id}`, fields: ['nickname', 'role_id'] } },
  )
  const { control } = form
  return (
    <FormDialog title="编辑子账号" form={form} command={(values) => edit.trigger({ id, ...values })} onClose={onClose}>
      <dl className={styles.account}>
        <dt className="nl-label">账号</dt>
        <dd>{`${username}${suffix}`}</dd>
      </dl>
      <PersonFields control={control} />
      <PasswordField
        control={control}
        name="password"
        label="密码"
        autoComplete="new-password"
        help="留空则不修改。修改后，该子账号的登录全部退出"
      />
    </FormDialog>
  )
}
