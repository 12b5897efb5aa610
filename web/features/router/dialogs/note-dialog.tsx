import { z } from 'zod'
import { note } from '../../../../worker/contract/fields.ts'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { networkApi } from '../../../../worker/contract/network.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'

const schema = z.object({ note })

interface NoteDialogProps {
  readonly member: { readonly router_name: string; readonly note: string }
  readonly onClose: () => void
}

export function NoteDialog({ member, onClose }: NoteDialogProps) {
  const form = useContractForm(schema, { note: member.note })
  const save = useCommand(routerApi.note, [routerApi.lists, routerApi.info, routerApi.member, networkApi.info], {
    quiet: true,
  })
  return (
    <FormDialog
      title="修改备注"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        if (values.note !== member.note) await save.trigger({ router_name: member.router_name, ...values })
        onClose()
      }}
    >
      <TextField
        control={form.control}
        name="note"
        label="备注"
        maxLength={NETWORK.noteMax}
        help={`${member.router_name}，最多 ${NETWORK.noteMax} 个字符，可留空`}
      />
    </FormDialog>
  )
}
