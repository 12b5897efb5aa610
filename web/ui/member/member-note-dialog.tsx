import * as z from 'zod'
import { note } from '#contract/kernel/fields.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { routers } from '#contract/router/routers.ts'
import { saasApi } from '#contract/saas/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand } from '#lib/call/use-endpoint.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'

/* Dialog that edits the note of a member. */

const schema = z.object({ note })

interface NotedMember {
  readonly router_name: string
  readonly note: string
  readonly note_revision: number
}

export function MemberNoteDialog({ info, onClose }: { info: NotedMember; onClose: () => void }) {
  const { router_name, note: current, note_revision: revision } = info
  // Pages of SaaS devices show the note, too.
  const save = useCommand(routers.note, [saasApi.router, saasApi.info], QUIET)
  const form = useContractForm(schema, { note: current }, { draft: { key: `note ${router_name}`, fields: ['note'] } })
  return (
    <FormDialog
      title="修改备注"
      form={form}
      command={(values) => save.trigger({ router_name, revision, ...values })}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="note"
        label="备注"
        max={NETWORK.noteMax}
        help={`${router_name}，最多 ${NETWORK.noteMax} 个字符，可留空`}
      />
    </FormDialog>
  )
}
