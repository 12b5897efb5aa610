import Switch from '@douyinfe/semi-ui/lib/es/switch'
import type { FieldValues } from 'react-hook-form'
import { FieldNotes, type FieldProps, useField } from './field.tsx'

/** Label at the left, switch at the right: rows of settings. Holds a boolean. */
export function SwitchField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  const { id, error, field, aria } = useField(props)
  const { 'aria-required': _, ...named } = aria
  return (
    <div className="nl-field">
      <div className="nl-switch-row">
        <label id={`${id}-label`} htmlFor={id} className="nl-label">
          {props.label}
        </label>
        <Switch
          {...named}
          id={id}
          checked={field.value === true}
          onChange={field.onChange}
          disabled={props.disabled ?? false}
        />
      </div>
      <FieldNotes id={id} error={error} help={props.help} />
    </div>
  )
}
