import * as z from 'zod'
import { softwareMode } from '#contract/network/fields.ts'
import { SOFTWARE_MODE_NAME } from '#domain/network/history/setting-words.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useEditSoftwareMode } from '../api.ts'
import type { MemberDialogProps } from './dialog-context.ts'
import { useMemberForm } from './setting-dialog.tsx'

/* Dialog of the way a software member dials in: default, centre first or POP first (network 2). */

const schema = z.object({ mode: softwareMode })
const options = Object.entries(SOFTWARE_MODE_NAME).map(([value, label]) => ({ value: Number(value), label }))

export function SoftwareModeDialog({ info, member, ...handlers }: MemberDialogProps) {
  const { network_number } = info
  const { start, form } = useMemberForm('software-mode', schema, { info, member }, ({ mode }) => ({ mode }))
  const { router_name, revisions } = start
  const edit = useEditSoftwareMode()
  return (
    <FormDialog
      title={`拨号方式 · ${memberLabel(start)}`}
      form={form}
      command={(next) =>
        edit.trigger({ network_number, router_name, ...next, revision: revisions['software_mode'] ?? 0 })
      }
      {...handlers}
    >
      <RadioField
        control={form.control}
        name="mode"
        label="拨号方式"
        vertical
        options={options}
        help="客户端下次登录时生效"
      />
    </FormDialog>
  )
}
