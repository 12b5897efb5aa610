import SemiSelect from '@douyinfe/semi-ui/lib/es/select'
import { cloneElement } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Select, and its form field with fixed options. */

/**
 * Semi's select, corrected for screen readers: its name is the label alone, where Semi adds "selected". The active option
 * is named only while the list is open, because only then its id exists.
 */
export class Select extends SemiSelect {
  override renderSelection() {
    const trigger = super.renderSelection()
    const unnamed = { 'aria-label': undefined }
    return cloneElement(trigger, this.state.isOpen ? unnamed : { ...unnamed, 'aria-activedescendant': undefined })
  }
}

export interface Option {
  readonly value: string | number
  readonly label: string
  readonly disabled?: boolean
}

interface SelectFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly options: readonly Option[]
  readonly placeholder?: string
  readonly searchable?: boolean
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
  const { id, frame, field, status, aria } = useField({ missing: `请选择${props.label}`, ...props })
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
