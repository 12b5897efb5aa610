import { z } from 'zod'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { networkApi, networkName } from '../../../../worker/contract/network.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'

const schema = z.object({ network_name: networkName })

interface RenameDialogProps {
  readonly network: { readonly network_number: string; readonly network_name: string }
  readonly onSaved?: () => void
  readonly onClose: () => void
}

export function RenameDialog({ network, onSaved, onClose }: RenameDialogProps) {
  const form = useContractForm(schema, { network_name: network.network_name })
  const rename = useCommand(networkApi.name, [networkApi.lists, networkApi.info, networkApi.select], { quiet: true })
  return (
    <FormDialog
      title="修改组网名称"
      form={form}
      onClose={onClose}
      onSubmit={async ({ network_name }) => {
        if (network_name !== network.network_name) {
          await rename.trigger({ network_number: network.network_number, network_name })
          onSaved?.()
        }
        onClose()
      }}
    >
      <TextField control={form.control} name="network_name" label="组网名称" required maxLength={NETWORK.nameMax} />
    </FormDialog>
  )
}
