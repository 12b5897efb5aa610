import * as z from 'zod'
import { CLIENT } from '#contract/client/limits.ts'
import { sign } from '#contract/kernel/fields.ts'
import { SOFTWARE } from '#contract/router/limits.ts'
import { updateUser } from '#lib/session/session.ts'
import { useEditSign } from './use-member-credentials.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

/* Dialog of the account's one suffix (sign): a change renames all its software members (network 4). */

const schema = z.object({ sign })

interface SignDialogProps {
  /** Empty if none is set yet. */
  readonly sign: string
  readonly softwareCount: number
  readonly onClose: () => void
}

export function SignDialog({ sign: current, softwareCount, onClose }: SignDialogProps) {
  const save = useEditSign()
  const form = useContractForm(schema, { sign: current }, { draft: { key: 'sign', fields: ['sign'] } })
  const { control, watch } = form
  return (
    <FormDialog
      title={current === '' ? '设置账号后缀' : '修改账号后缀'}
      form={form}
      command={async (values) => {
        await save.trigger(values)
        updateUser(values)
      }}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="sign"
        label="账号后缀"
        required
        isCode
        help={`${SOFTWARE.signMin}-${SOFTWARE.signMax} 位字母或数字。软件成员以“账号@后缀”登录客户端。`}
      />
      {current !== '' && softwareCount > 0 && watch('sign') !== current && (
        <Notice tone="warn" role="status">
          现有 {softwareCount} 个软件成员会随之改名：@{current} 变为 @{watch('sign') || '新后缀'}
          。旧账号在 {CLIENT.oldSignDays} 天内仍可登录，请通知成员更换。
        </Notice>
      )}
    </FormDialog>
  )
}
