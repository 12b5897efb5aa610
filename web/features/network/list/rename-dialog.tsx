import { SimpleFormDialog } from '#ui/dialog/simple-form-dialog.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useRenameNetwork } from '../api.ts'
import { keptNameSchema, type NamedInfo, nameMaxOf } from '../plan/network-name.tsx'

interface RenameDialogProps {
  readonly info: NamedInfo & { readonly network_number: string }
  readonly onSaved?: () => void
  readonly onClose: () => void
}

export function RenameDialog({ info, ...handlers }: RenameDialogProps) {
  const { network_number, network_name } = info
  const rename = useRenameNetwork()
  return (
    <SimpleFormDialog
      title="修改组网名称"
      schema={keptNameSchema(info)}
      values={{ network_name }}
      draft={{ key: `rename ${network_number}`, fields: ['network_name'] }}
      command={(values) => rename.trigger({ network_number, ...values })}
      fields={({ control }) => (
        <TextField control={control} name="network_name" label="组网名称" required maxLength={nameMaxOf(info)} />
      )}
      {...handlers}
    />
  )
}
