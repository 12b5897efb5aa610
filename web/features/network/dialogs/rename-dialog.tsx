import * as z from 'zod'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { networkName } from '../../../../worker/contract/network.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useRenameNetwork } from '../api.ts'

const schema = z.object({ network_name: networkName })

interface RenameDialogProps {
  readonly info: { readonly network_number: string; readonly network_name: string }
  readonly onSaved?: () => void
  readonly onClose: () => void
}

export function RenameDialog({ info: { network_number, network_name }, ...handlers }: RenameDialogProps) {
  const rename = useRenameNetwork()
  return (
    <SimpleFormDialog
      title="修改组网名称"
      schema={schema}
      values={{ network_name }}
      draft={{ key: `rename ${network_number}`, fields: ['network_name'] }}
      command={(values) => rename.trigger({ network_number, ...values })}
      fields={({ control }) => (
        <TextField control={control} name="network_name" label="组网名称" required maxLength={NETWORK.nameMax} />
      )}
      {...handlers}
    />
  )
}
