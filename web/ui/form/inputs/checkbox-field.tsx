import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type FieldProps, useField } from '../field.tsx'
import { FieldNotes } from '../field-notes.tsx'

/* Form field of one check box; its label may hold links. */

interface CheckboxFieldProps<V extends FieldValues, T> extends Omit<FieldProps<V, T>, 'label'> {
  /** Label, which may hold links, such as to an agreement. */
  readonly children: ReactNode
}

export function CheckboxField<V extends FieldValues, T>({ children, ...props }: CheckboxFieldProps<V, T>) {
  const { id, error, field, aria } = useField({ ...props, label: '' })
  const { 'aria-labelledby': labelId, ...described } = aria
  return (
    <div className="nl-field">
      <Checkbox
        {...described}
        id={id}
        addonId={labelId}
        aria-labelledby={labelId}
        checked={field.value === true}
        onChange={(event) => field.onChange(event.target.checked)}
        disabled={props.disabled ?? false}
      >
        {children}
      </Checkbox>
      <FieldNotes id={id} error={error} help={props.help} />
    </div>
  )
}
