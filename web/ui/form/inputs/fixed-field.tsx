import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/** Form field of a value that people copy into another system. Refusals about it appear at it. */
export function FixedField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  const { frame, input } = useField(props)
  return (
    <FieldFrame {...frame}>
      <Input {...input} readonly />
    </FieldFrame>
  )
}
