import * as z from 'zod'
import { note } from '../../../../worker/contract/fields.ts'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useSaveNote } from '../api.ts'

const schema = z.object({ note })

interface NoteDialogProps {
  readonly info: { readonly router_name: string; readonly note: string; readonly note_revision: number }
  readonly onClose: () => void
}

export function NoteDialog({
  info: { router_name, note: current, note_revision: revision },
  onClose,
}: NoteDialogProps) {
  const save = useSaveNote()
  return (
    <SimpleFormDialog
      title="修改备注"
      schema={schema}
      values={{ note: current }}
      draft={{ key: `note ${router_name}`, fields: ['note'] }}
      command={(values) => save.trigger({ router_name, revision, ...values })}
      onClose={onClose}
      fields={({ control }) => (
        <TextField
          control={control}
          name="note"
          label="备注"
          maxLength={NETWORK.noteMax}
          help={`${router_name}，最多 ${NETWORK.noteMax} 个字符，可留空`}
        />
      )}
    />
  )
}
