import { useState } from 'react'
import * as z from 'zod'
import { SHEET_RULE, uploadedFile } from '#contract/kernel/uploads.ts'
import { SOFTWARE_REQUIRED } from '#contract/router/fields.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { FieldNotes } from '#ui/form/field-notes.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { useErrorPlace } from '#ui/form/error-places.ts'
import { saveDeleteTemplate, useBatchDeleteFile, useDeleteRouters } from '#pages/router/api.ts'
import { TYPED } from '../confirm-delete.ts'
import { BatchResultDialog, MemberFileField, toFileRows, toUploadFailure } from './member-file.tsx'

/* Dialog that deletes software members selected in the list or named by a file, and shows the result of each. */

const MODES = [
  { value: 'list', label: '列表模式' },
  { value: 'file', label: '文件模式' },
]
const typed = z.string().refine((text) => text === TYPED, `请输入 ${TYPED} 以继续`)
const schema = z.discriminatedUnion('mode', [
  z.object({
    mode: z.literal('list'),
    names: z.array(z.string()).min(1, SOFTWARE_REQUIRED),
    typed,
  }),
  z.object({ mode: z.literal('file'), file: uploadedFile(SHEET_RULE), typed }),
])

type DeleteForm = ContractForm<z.input<typeof schema>, z.output<typeof schema>>

interface BatchDeleteDialogProps {
  readonly names: readonly string[]
  readonly onDeleted: () => void
  readonly onClose: () => void
}

export function BatchDeleteDialog({ names, onDeleted, onClose }: BatchDeleteDialogProps) {
  const form = useContractForm(
    schema,
    { mode: names.length > 0 ? 'list' : 'file', names: [...names], file: null, typed: '' } as never,
    { lockMs: MEMBER_FILE.resetMs },
  )
  const [byName, byFile] = [useDeleteRouters(), useBatchDeleteFile()]
  const [rows, setRows] = useState<readonly BatchRow[] | null>(null)
  const { control } = form
  const mode: string = form.watch('mode')
  const isOfFile = mode === 'file'
  const { errors } = form.formState

  const remove = async (values: z.output<typeof schema>) => {
    if (values.mode === 'list') {
      const { data } = await byName.trigger({ router_name: values.names })
      setRows(data.result.map(({ router_name, deleted, msg }) => toBatchRow(router_name, deleted, msg)))
      onDeleted()
      return false
    }
    try {
      const { data } = await byFile.trigger({ file: values.file })
      setRows(toFileRows(data.result))
      onDeleted()
      return false
    } catch (error) {
      throw toUploadFailure(error)
    } finally {
      form.setValue('file', null as never)
    }
  }
  if (rows !== null)
    return (
      <BatchResultDialog
        title="批量删除的结果"
        rows={rows}
        onUploadAgain={isOfFile ? () => setRows(null) : undefined}
        onClose={onClose}
      />
    )
  return (
    <FormDialog title="批量删除软件成员" submitText="删除" danger form={form} command={remove} onClose={onClose}>
      <RadioField control={control} name="mode" label="删除方式" options={MODES} />
      {isOfFile ? (
        <MemberFileField
          control={control}
          rules="每行一个账号，可以带后缀，也可以直接使用导出的文件。"
          onTemplate={saveDeleteTemplate}
        />
      ) : (
        <SelectedNames control={control} names={names} error={'names' in errors ? errors.names?.message : undefined} />
      )}
      <p className="nl-help">是否确定删除? 在线的成员连接会立即断开，它们会退出所有组网。</p>
      <TextField control={control} name="typed" label={`请输入 ${TYPED} 以继续`} required />
    </FormDialog>
  )
}

const SHOWN = 10

interface SelectedNamesProps {
  readonly control: DeleteForm['control']
  readonly names: readonly string[]
  readonly error: string | undefined
}

function SelectedNames({ control, names, error }: SelectedNamesProps) {
  useErrorPlace(control, 'names')
  return (
    <div className="nl-field">
      <span className="nl-label">已选择 {names.length} 个软件成员</span>
      {names.length > 0 && (
        <span className="nl-help">
          {names.slice(0, SHOWN).join('、')}
          {names.length > SHOWN && ` 等 ${names.length} 个`}
        </span>
      )}
      <FieldNotes id="batch-delete-names" error={error} {...(names.length === 0 && { help: '请先在列表中勾选成员' })} />
    </div>
  )
}
