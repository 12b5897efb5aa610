import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import { Link } from 'react-router'
import { NICKNAME } from '#contract/account/limits.ts'
import { ramEditForm, ramForm } from '#contract/ram/index.ts'
import { paths } from '#lib/paths.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { NewPasswordField } from '#ui/member/new-password-field.tsx'
import { type RamRow, useCreateRam, useEditRam, useRoleOptions } from './api.ts'
import styles from './ram-dialogs.module.css'

/* Dialogs that add or edit a sub-account. */

export function CreateRamDialog({ suffix, onClose }: { readonly suffix: string; readonly onClose: () => void }) {
  const create = useCreateRam()
  const form = useContractForm(
    ramForm,
    { username: '', nickname: '', role_id: null, password: '' },
    { draft: { key: 'ram', fields: ['username', 'nickname', 'role_id'] } },
  )
  const { control, setValue } = form
  return (
    <FormDialog title="添加子账号" form={form} submitText="添加" command={create.trigger} onClose={onClose}>
      <TextField
        control={control}
        name="username"
        label="账号"
        required
        isCode
        suffix={suffix}
        help="登录时填写账号和后缀。由字母、数字、下划线和点组成，创建后不能修改"
      />
      <PersonFields control={control} />
      <NewPasswordField
        control={control}
        label="密码"
        onGenerate={(password) => setValue('password', password, { shouldDirty: true, shouldValidate: true })}
      />
    </FormDialog>
  )
}

/** The account itself is read only (directory 2). */
export function EditRamDialog({ ram, suffix, onClose }: { ram: RamRow; suffix: string; onClose: () => void }) {
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

function PersonFields<V extends FieldValues, T>({ control }: { readonly control: Control<V, unknown, T> }) {
  const { data, error, mutate } = useRoleOptions()
  const roles = data?.data
  return (
    <>
      <TextField control={control} name={'nickname' as never} label="昵称" required max={NICKNAME.max} />
      <SelectField
        control={control}
        name={'role_id' as never}
        label="角色"
        required
        options={(roles ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        placeholder={roles === undefined && error === undefined ? '正在加载' : '请选择'}
        emptyText="还没有角色"
        {...(roles?.length === 0 && { help: NO_ROLES })}
        {...(error !== undefined && {
          help: (
            <>
              角色未能加载
              <Button size="small" theme="borderless" onClick={() => void mutate()}>
                重试
              </Button>
            </>
          ),
        })}
      />
    </>
  )
}

const NO_ROLES = (
  <>
    还没有角色，请先<Link to={paths.roles}>创建角色</Link>
  </>
)
