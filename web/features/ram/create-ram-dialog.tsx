import { ramForm } from '#contract/ram/index.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { NewPasswordField } from '#ui/member/new-password-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useCreateRam } from './api.ts'
import { PersonFields } from './person-fields.tsx'
import { RAM } from '#contract/ram/limits.ts'

interface CreateRamDialogProps {
  /** Text after the account: `@suffix`. */
  readonly suffix: string
  readonly onClose: () => void
}

export function CreateRamDialog({ suffix, onClose }: CreateRamDialogProps) {
  const create = useCreateRam()
  const form = useContractForm(
    ramForm,
    { username: '', nickname: '', role_id: null, password: '' },
    { draft: { key: 'ram', fields: ['username', 'nickname', 'role_id'] } },
  )
  const { control, setValue } = form
  return (
    <FormDialog
      title="添加子账号"
      form={form}
      submitText="添加"
      command={(values) => create.trigger(values)}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="username"
        label="账号"
        required
        isCode
        maxLength={RAM.usernameMax}
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
