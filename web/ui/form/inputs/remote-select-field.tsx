import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { plainText } from '#contract/kernel/input/typed-text.ts'
import { useDebounced } from '#ui/hooks/use-delays.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { type Option, Select } from './select-field.tsx'

/* Form field that selects from a list which the server searches. Holds a text, '' for none. */

const DEBOUNCE_MS = 200

interface RemoteSelectFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Hook: options that the server finds for a text; '' lists the first ones. */
  readonly useOptions: (search: string) => readonly Option[]
  /** Preset value of the page, with a label that needs no search. */
  readonly preset?: Option | null
  /** Search until the user types: finds the preset value, so that its full label is listed. */
  readonly firstSearch?: string
  readonly placeholder: string
}

export function RemoteSelectField<V extends FieldValues, T>(props: RemoteSelectFieldProps<V, T>) {
  const { useOptions, preset = null, firstSearch = '', placeholder } = props
  const { id, frame, field, status, aria } = useField({ missing: `请选择${props.label}`, ...props })
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Option | null>(null)
  const search = useDebounced(plainText(typed), DEBOUNCE_MS)
  const found = useOptions(search || (chosen === null ? firstSearch : ''))
  const shown = [chosen, preset].find((option) => option?.value === field.value) ?? null
  const isListed = found.some(({ value }) => value === shown?.value)
  const options = shown === null || isListed ? found : [shown, ...found]
  return (
    <FieldFrame {...frame} plainLabel>
      <Select
        {...aria}
        id={id}
        value={field.value === '' ? undefined : field.value}
        onChange={(value) => {
          setChosen(options.find((option) => option.value === value) ?? null)
          field.onChange(value ?? '')
        }}
        onSearch={setTyped}
        onBlur={field.onBlur}
        motion={false} // with it, onChange fires only after the closing animation
        optionList={[...options]}
        placeholder={placeholder}
        validateStatus={status}
        filter
        remote
        showClear
        emptyContent="暂无数据"
        disabled={props.disabled ?? false}
      />
    </FieldFrame>
  )
}
