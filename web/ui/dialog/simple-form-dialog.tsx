import type { ReactNode } from 'react'
import type { DefaultValues, FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { FormDialog } from './form-dialog.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { type FormDraft, useFormDraft } from '#ui/form/use-form-draft.ts'

interface SimpleFormDialogProps<V extends FieldValues, T extends FieldValues> {
  readonly title: ReactNode
  readonly submitText?: string
  readonly widthPx?: number
  readonly schema: z.ZodType<T, V>
  /** Every field of the form with its value as it is now. */
  readonly values: DefaultValues<V>
  readonly draft: FormDraft<V>
  /** Reads the values anew after somebody else has saved them (useFormStart). */
  readonly reload?: () => Promise<DefaultValues<V> | null>
  /** The fields, top to bottom; `form.control` binds them. */
  readonly fields: (form: ContractForm<V, T>) => ReactNode
  /** Sends the parsed values; a refusal keeps the dialog open and is shown in it. */
  readonly command: (values: T) => Promise<unknown>
  /** Beside the buttons: what saving would do. */
  readonly foot?: (form: ContractForm<V, T>) => ReactNode
  readonly onSaved?: () => void
  /** The longest that the button locks (useContractForm). */
  readonly lockMs?: number
  readonly onClose: () => void
}

/** One form that runs one command: values that did not change are not sent, saved ones close the dialog. */
export function SimpleFormDialog<V extends FieldValues, T extends FieldValues>(props: SimpleFormDialogProps<V, T>) {
  const { title, submitText, widthPx, schema, values, draft, reload, fields, command, foot, onSaved, lockMs, onClose } =
    props
  const form = useContractForm(schema, values, { ...(lockMs !== undefined && { lockMs }) })
  const isRestored = useFormDraft(form, draft)
  const submit = async (next: T) => {
    const isUnchanged = Object.entries(next).every(([name, value]) => value === values[name])
    if (!isUnchanged) {
      await command(next)
      onSaved?.()
    }
    onClose()
  }
  return (
    <FormDialog
      title={title}
      form={form}
      isRestored={isRestored}
      onSubmit={submit}
      onClose={onClose}
      reload={reload}
      {...(submitText !== undefined && { submitText })}
      {...(foot !== undefined && { foot: foot(form) })}
      {...(widthPx !== undefined && { widthPx })}
    >
      {fields(form)}
    </FormDialog>
  )
}
