import * as z from 'zod'
import { note } from '#contract/kernel/fields.ts'
import { DONE } from '#contract/kernel/result.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import type { BatchRow } from '#ui/state/batch-result.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toBulkRows, useAddToNetwork, useNetworkOptions, useSaveNotes } from '#pages/router/api.ts'
import { NETWORK } from '#contract/network/limits.ts'

/* Dialogs of bulk actions on selected members: set a note, add to a network. */

interface BulkDialogProps {
  readonly names: readonly string[]
  readonly onDone: (title: string, rows: readonly BatchRow[], done: string) => void
  readonly onClose: () => void
}

const noteOfAll = z.object({ note })
export function BulkNoteDialog({ names, onDone, onClose }: BulkDialogProps) {
  const form = useContractForm(noteOfAll, { note: '' })
  const save = useSaveNotes()
  const send = async (values: z.output<typeof noteOfAll>) => {
    const reply = await save.trigger({ router_name: [...names], ...values })
    onDone('修改备注的结果', toBulkRows(reply), DONE.changed)
  }
  return (
    <FormDialog title={`修改 ${names.length} 个成员的备注`} form={form} command={send} sendsUnchanged onClose={onClose}>
      <TextField
        control={form.control}
        name="note"
        label="备注"
        max={NETWORK.noteMax}
        help={`所选成员会得到相同的备注，最多 ${NETWORK.noteMax} 个字符；留空则清除`}
      />
    </FormDialog>
  )
}

const networkOfAll = z.object({ network_number: z.string().min(1, ROUTER_ERRORS.NETWORK_CHOICE_REQUIRED.msg) })
export function BulkNetworkDialog({ names, onDone, onClose }: BulkDialogProps) {
  const form = useContractForm(networkOfAll, { network_number: '' })
  const networks = useNetworkOptions()
  const add = useAddToNetwork()
  const send = async (values: z.output<typeof networkOfAll>) => {
    const reply = await add.trigger({ router_name: [...names], ...values })
    onDone('加入组网的结果', toBulkRows(reply), DONE.added)
  }
  return (
    <FormDialog
      title={`将 ${names.length} 个成员加入组网`}
      submitText="加入"
      form={form}
      command={send}
      onClose={onClose}
    >
      <SelectField
        control={form.control}
        name="network_number"
        label="组网"
        required
        searchable
        options={networks}
        help="所选成员会作为普通点加入；不能加入的成员会说明原因"
      />
    </FormDialog>
  )
}
