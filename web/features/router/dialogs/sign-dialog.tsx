import { z } from 'zod'
import { accountApi } from '../../../../worker/contract/account.ts'
import { sign } from '../../../../worker/contract/fields.ts'
import { SOFTWARE } from '../../../../worker/contract/limits.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { updateUser } from '../../../lib/session.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import './notice.css'

const schema = z.object({ sign })

interface SignDialogProps {
  /** Empty where none is set yet. */
  readonly sign: string
  /** Software members that take the new suffix. */
  readonly memberCount: number
  readonly onClose: () => void
}

/** The ending of every software member's account; an unchanged one is not sent (network 4). */
export function SignDialog({ sign: current, memberCount, onClose }: SignDialogProps) {
  const form = useContractForm(schema, { sign: current })
  const save = useCommand(accountApi.editSign, [routerApi.quantity, routerApi.lists, routerApi.info], { quiet: true })
  return (
    <FormDialog
      title={current === '' ? '设置账号后缀' : '修改账号后缀'}
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        if (values.sign !== current) {
          await save.trigger(values)
          updateUser(values)
        }
        onClose()
      }}
    >
      <TextField
        control={form.control}
        name="sign"
        label="账号后缀"
        required
        isCode
        maxLength={SOFTWARE.signMax}
        help={`${SOFTWARE.signMin}-${SOFTWARE.signMax} 位字母或数字。软件成员以“账号@后缀”登录客户端。`}
      />
      {current !== '' && memberCount > 0 && (
        <p className="nl-member-notice">
          现有 {memberCount} 个软件成员会随之改名：@{current} 变为 @{form.watch('sign') || '新后缀'}
          。旧账号不能再登录，请提前通知成员。
        </p>
      )}
    </FormDialog>
  )
}
