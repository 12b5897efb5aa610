import * as z from 'zod'
import { NETWORK, ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { hardwareClaim } from '../../../../worker/contract/router.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { isWholeActivationCode } from '../activation-code.ts'
import { useAddRouter } from '../api.ts'
import { ActivationField } from '../parts/activation-field.tsx'
import { NetworkField } from '../parts/network-field.tsx'

const schema = hardwareClaim.extend({
  code: z.string().min(1, '请输入激活码').refine(isWholeActivationCode, '激活码为 12 位字母和数字，请核对'),
})

interface ClaimDialogProps {
  readonly addsIntoNetwork: boolean
  readonly onClose: () => void
}

/** Claims a router by its serial number and activation code. */
export function ClaimDialog({ addsIntoNetwork, onClose }: ClaimDialogProps) {
  const add = useAddRouter()
  return (
    <SimpleFormDialog
      title="添加硬件成员"
      submitText="添加"
      schema={schema}
      values={{ router_type: ROUTER_TYPE.hardware, username: '', code: '', note: '', network_number: '' }}
      draft={{ key: 'claim', fields: ['username', 'note', 'network_number'] }}
      command={(values) => add.trigger(values)}
      onClose={onClose}
      fields={({ control }) => (
        <>
          <TextField
            control={control}
            name="username"
            label="序列号"
            required
            isCode
            maxLength={64}
            help="机身标签上 S/N 之后的字符，如 NL22S033"
          />
          <ActivationField
            control={control}
            name="code"
            label="激活码"
            required
            help="印在包装盒上的 12 位字母和数字，可直接粘贴"
          />
          {addsIntoNetwork && <NetworkField control={control} name="network_number" />}
          <TextField control={control} name="note" label="备注" maxLength={NETWORK.noteMax} />
        </>
      )}
    />
  )
}
