import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { Select } from './select.tsx'

/* Form field of a select with fixed options. */

export interface Option {
  readonly value: string | number
  readonly label: string
  readonly disabled?: boolean
}

interface SelectFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly options: readonly Option[]
  readonly placeholder?: string
  readonly searchable?: boolean
  /** Holds an array of values instead of one. */
  readonly multiple?: boolean
  /** Text of an empty list, such as 暂不可购买. */
  readonly emptyText?: string
  /** Also runs after a choice by a person, so that other fields can follow. */
  readonly onChosen?: (value: unknown) => void
}

export function SelectField<V extends FieldValues, T>(props: SelectFieldProps<V, T>) {
  const {
    options,
    placeholder = '请选择',
    searchable = false,
    multiple = false,
    emptyText = '暂无数据',
    onChosen,
  } = props
  const { id, frame, field, status, aria } = useField(props)
  return (
    <FieldFrame {...frame} plainLabel>
      <Select
        {...aria}
        id={id}
        value={field.value}
        onChange={(value) => {
          field.onChange(value)
          onChosen?.(value)
        }}
        onBlur={field.onBlur}
        motion={false} // with it, onChange fires only after the closing animation
        optionList={[...options]}
        placeholder={placeholder}
        validateStatus={status}
        filter={searchable}
        multiple={multiple}
        emptyContent={emptyText}
        disabled={props.disabled ?? false}
      />
    </FieldFrame>
  )
}
