import RadioGroup from '@douyinfe/semi-ui/lib/es/radio/radioGroup'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import type { Option } from './select-field.tsx'

/* Form field of a choice by radio buttons. */

interface RadioFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly options: readonly Option[]
  readonly vertical?: boolean
}

export function RadioField<V extends FieldValues, T>(props: RadioFieldProps<V, T>) {
  const { id, frame, field, aria } = useField(props)
  return (
    <FieldFrame {...frame} plainLabel>
      {/* Semi's group is a div without a role, so its name and requirement would have no effect. */}
      <div {...aria} id={id} role="radiogroup">
        <RadioGroup
          name={id}
          value={field.value}
          onChange={(event) => field.onChange(event.target.value)}
          options={[...props.options]}
          direction={props.vertical ? 'vertical' : 'horizontal'}
          disabled={props.disabled ?? false}
        />
      </div>
    </FieldFrame>
  )
}
