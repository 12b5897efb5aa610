import type { ComponentProps } from 'react'
import { type FieldValues, useWatch } from 'react-hook-form'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { withoutNulls } from '#ui/form/use-contract-form.ts'
import { ImpactList, type ImpactRequest } from './impact-list.tsx'

/* Dialog with the form of a setting, and the impact of its save beside the buttons. */

type FormProps<V extends FieldValues, T extends FieldValues> = ComponentProps<typeof FormDialog<V, T>>

export interface SettingDialogProps<V extends FieldValues, T extends FieldValues, R extends ImpactRequest> extends Omit<
  FormProps<V, T>,
  'command'
> {
  /** Call that saves the values. */
  readonly toRequest: (values: T) => R
  readonly send: (request: R, values: T) => Promise<unknown>
}

export function SettingDialog<V extends FieldValues, T extends FieldValues, R extends ImpactRequest>(
  props: SettingDialogProps<V, T, R>,
) {
  const { toRequest, send, foot, ...rest } = props
  const impact = (
    <>
      {foot}
      <FormImpact form={rest.form} toRequest={toRequest} />
    </>
  )
  return <FormDialog {...rest} command={(values) => send(toRequest(values), values)} foot={impact} />
}

/** Shows nothing while the values are invalid or unchanged. */
function FormImpact<V extends FieldValues, T extends FieldValues, R extends ImpactRequest>({
  form,
  toRequest,
}: Pick<SettingDialogProps<V, T, R>, 'form' | 'toRequest'>) {
  const values = useWatch({ control: form.control })
  const parsed = form.schema.safeParse(withoutNulls(values))
  return <ImpactList request={form.formState.isDirty && parsed.success ? toRequest(parsed.data) : null} />
}
