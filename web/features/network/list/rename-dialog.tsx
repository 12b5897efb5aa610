import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useRenameNetwork } from '../api.ts'
import { keptNameSchema, type NamedInfo, nameMaxOf, useNameTaken } from '../plan/network-name.tsx'

/* Dialog that renames a network. */

interface RenameDialogProps {
  readonly info: NamedInfo & { readonly network_number: string }
  readonly onSaved?: () => void
  readonly onClose: () => void
}

export function RenameDialog({ info, ...handlers }: RenameDialogProps) {
  const { network_number, network_name } = info
  const rename = useRenameNetwork()
  const form = useContractForm(
    keptNameSchema(info),
    { network_name },
    { draft: { key: `rename ${network_number}`, fields: ['network_name'] } },
  )
  const taken = useNameTaken(form.watch('network_name'), network_number)
  return (
    <FormDialog
      title="修改组网名称"
      form={form}
      command={(values) => rename.trigger({ network_number, ...values })}
      {...handlers}
    >
      <TextField
        control={form.control}
        name="network_name"
        label="组网名称"
        required
        max={nameMaxOf(info)}
        {...(taken !== undefined && { help: taken })}
      />
    </FormDialog>
  )
}
