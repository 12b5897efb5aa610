import type { FieldValues } from 'react-hook-form'
import { type MultiChoiceOption, MultiChoice } from './multi-choice.tsx'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a multiple choice; it holds an array of texts. */

interface MultiChoiceFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly options: readonly MultiChoiceOption[]
  readonly searchLabel: string
  readonly emptyText: string
  readonly missingText: string
}

export function MultiChoiceField<V extends FieldValues, T>(props: MultiChoiceFieldProps<V, T>) {
  const { label, options, searchLabel, emptyText, missingText } = props
  const { id, frame, field } = useField(props)
  return (
    <FieldFrame {...frame} plainLabel>
      <MultiChoice
        {...{ id, label, options, searchLabel, emptyText, missingText }}
        value={field.value ?? []}
        onChange={field.onChange}
      />
    </FieldFrame>
  )
}
