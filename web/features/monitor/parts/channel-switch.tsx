import Switch from '@douyinfe/semi-ui/lib/es/switch'
import type { FieldValues } from 'react-hook-form'
import { toast } from '../../../lib/toast.ts'
import { FieldNotes, type FieldProps, useField } from '../../../ui/form/field.tsx'

interface ChannelSwitchProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Why it cannot be switched on; the switch reverts with this tip (account 4). */
  readonly missing: string | null
}

/** The switch of a channel, which needs something to send to. */
export function ChannelSwitch<V extends FieldValues, T>({ missing, ...props }: ChannelSwitchProps<V, T>) {
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
            if (checked && missing !== null) toast.error(missing)
            else field.onChange(checked)
          }}
          disabled={props.disabled ?? false}
        />
      </div>
      <FieldNotes id={id} error={error} help={props.help} />
    </div>
  )
}
