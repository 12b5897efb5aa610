import { z } from 'zod'
import { NETWORK, ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { hardwareClaim, routerApi } from '../../../../worker/contract/router.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { isWholeActivationCode } from '../activation-code.ts'
import { ActivationField } from '../parts/activation-field.tsx'

const schema = hardwareClaim.extend({
  code: z.string().min(1, '请输入激活码').refine(isWholeActivationCode, '激活码为 12 位字母和数字，请核对'),
})

/** Claims a router by the two things printed on it. */
export function ClaimDialog({ onClose }: { readonly onClose: () => void }) {
  const form = useContractForm(schema, { router_type: ROUTER_TYPE.hardware, username: '', code: '', note: '' })
  const add = useCommand(routerApi.add, [routerApi.lists, routerApi.quantity, routerApi.member], { quiet: true })
  return (
    <FormDialog
      title="添加硬件成员"
      submitText="添加"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        await add.trigger(values)
        onClose()
      }}
    >
      <TextField
        control={form.control}
        name="username"
        label="设备序列号"
        required
        isCode
        maxLength={64}
        help="印在设备机身标签上，以 S/N 开头"
      />
      <ActivationField
        control={form.control}
        name="code"
        label="激活码"
        required
        help="印在包装盒上的 12 位字母和数字，可直接粘贴"
      />
      <TextField control={form.control} name="note" label="备注" maxLength={NETWORK.noteMax} />
    </FormDialog>
  )
}
