import Switch from '@douyinfe/semi-ui/lib/es/switch'
import type { FieldValues } from 'react-hook-form'
import { toast } from '#lib/toast/toast.ts'
import { type FieldProps, useField } from '../field.tsx'
import { FieldNotes } from '../field-notes.tsx'

/* Form field of a switch, with its label at the left: rows of settings. Holds a boolean. */

interface SwitchFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Reason that blocks switching on: a toast shows it, and the switch reverts. */
  readonly blocked?: string | null
  /** Also runs after a person has switched it, so that other fields can follow. */
  readonly onSwitched?: (on: boolean) => void
}

export function SwitchField<V extends FieldValues, T>({
  blocked = null,
  onSwitched,
  ...props
}: SwitchFieldProps<V, T>) {
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
          onChange={(checked) => {
            if (checked && blocked !== null) toast.error(blocked)
            else {
              field.onChange(checked)
              onSwitched?.(checked)
            }
          }}
          disabled={props.disabled ?? false}
        />
      </div>
      <FieldNotes id={id} error={error} help={props.help} />
    </div>
  )
}
