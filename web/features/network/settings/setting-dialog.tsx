import type { ComponentProps } from 'react'
import { type FieldValues, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { type ContractForm, withoutNulls } from '#ui/form/use-contract-form.ts'
import { ImpactList, type ImpactRequest } from './impact-list.tsx'

/* Dialog with the form of a setting, and the impact of its save beside the buttons. */

interface FormImpactProps<V extends FieldValues, T> {
  readonly form: ContractForm<V, T>
  readonly schema: z.ZodType<T, V>
  readonly toRequest: (values: T) => ImpactRequest
}

export function SettingDialog<V extends FieldValues, T extends FieldValues>({
  schema,
  toRequest,
  foot,
  ...props
}: ComponentProps<typeof FormDialog<V, T>> & FormImpactProps<V, T>) {
  const impact = (
    <>
      {foot}
      <FormImpact form={props.form} schema={schema} toRequest={toRequest} />
    </>
  )
  return <FormDialog {...props} foot={impact} />
}

/** Shows nothing while the values are invalid or unchanged. */
function FormImpact<V extends FieldValues, T>({ form, schema, toRequest }: FormImpactProps<V, T>) {
  const values = useWatch({ control: form.control })
  const parsed = schema.safeParse(withoutNulls(values))
  return <ImpactList request={form.formState.isDirty && parsed.success ? toRequest(parsed.data) : null} />
}
