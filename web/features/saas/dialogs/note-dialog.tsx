import * as z from 'zod'
import { note } from '../../../../worker/contract/fields.ts'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { SimpleFormDialog } from '../../../ui/simple-form-dialog.tsx'
import { useSetNote } from '../api.ts'
import type { SaasRow } from '../saas-text.ts'

const schema = z.object({ note })

export function NoteDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { router_name, note: current, note_revision: revision } = device
  const save = useSetNote()
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
