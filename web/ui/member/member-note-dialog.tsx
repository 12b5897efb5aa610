import * as z from 'zod'
import { note } from '#contract/kernel/fields.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { SimpleFormDialog } from '#ui/dialog/simple-form-dialog.tsx'

const schema = z.object({ note })

export interface NotedMember {
  readonly router_name: string
  readonly note: string
  readonly note_revision: number
}

interface MemberNoteDialogProps {
  readonly member: NotedMember
  readonly save: (input: {
    readonly router_name: string
    readonly revision: number
    readonly note: string
  }) => Promise<unknown>
  readonly onClose: () => void
}

export function MemberNoteDialog({ member, save, onClose }: MemberNoteDialogProps) {
  const { router_name, note: current, note_revision: revision } = member
  return (
    <SimpleFormDialog
      title="修改备注"
      schema={schema}
      values={{ note: current }}
      draft={{ key: `note ${router_name}`, fields: ['note'] }}
      command={(values) => save({ router_name, revision, ...values })}
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
