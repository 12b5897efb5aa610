import * as z from 'zod'
import { savedViews } from '#contract/account/saved-views.ts'
import { SAVED_VIEW } from '#contract/account/limits.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useSavedViews, useSaveView, type ViewList } from './saved-views.ts'

/* Dialog that saves the present view of a list under a name. */

const schema = z.object({ name: savedViews.saveView.input.shape.name })

interface SaveViewDialogProps {
  readonly list: ViewList
  readonly query: string
  readonly onClose: () => void
}

export function SaveViewDialog({ list, query, onClose }: SaveViewDialogProps) {
  const save = useSaveView()
  const views = useSavedViews()
  const form = useContractForm(schema, { name: '' })
  const typed = form.watch('name').trim()
  const isReplaced = views.some(({ name }) => name === typed)
  return (
    <FormDialog
      title="保存视图"
      form={form}
      command={({ name }) => save.trigger({ list, query, name })}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label="视图名称"
        required
        max={SAVED_VIEW.nameMax}
        help={
          isReplaced
            ? '保存后替换同名视图'
            : `筛选、排序和显示的列一起保存，只有自己可见，最多 ${SAVED_VIEW.perPerson} 个`
        }
      />
    </FormDialog>
  )
}
