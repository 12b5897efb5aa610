import * as z from 'zod'
import { CIPHERS_NAME, ciphers } from '../../../../worker/contract/network.ts'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useEditCiphers } from '../api.ts'
import type { NetworkDialogProps } from './network-dialogs.tsx'

const schema = z.object({ ncp_ciphers: ciphers })
const options = ciphers.options.map((value) => ({ value, label: CIPHERS_NAME[value] }))
const HELP = '保存后下发到该组网的全部硬件成员，切换时链路会短暂中断'

export function CiphersDialog({ info: { network_number, ncp_ciphers }, ...handlers }: NetworkDialogProps) {
  const edit = useEditCiphers()
  return (
    <SimpleFormDialog
      title="设置加密算法"
      schema={schema}
      values={{ ncp_ciphers }}
      draft={{ key: `ciphers ${network_number}`, fields: ['ncp_ciphers'] }}
      command={(values) => edit.trigger({ network_number, ...values })}
      fields={({ control }) => (
        <SelectField control={control} name="ncp_ciphers" label="加密算法" required options={options} help={HELP} />
      )}
      {...handlers}
    />
  )
}
