import { type ReactNode, useEffect, useId } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import './field.css'

/** What every field of the set takes. `T` is what the schema makes of the values. */
export interface FieldProps<V extends FieldValues, T> {
  readonly control: Control<V, unknown, T>
  readonly name: FieldPath<V>
  readonly label: string
  readonly required?: boolean
  /** A line under the input: what is allowed, what it is for. */
  readonly help?: ReactNode
  readonly disabled?: boolean
}

/** Ties an input to its value, its label and its error. Spread `aria` on the input and give it `id`. */
export function useField<V extends FieldValues, T>({ control, name, required = false, help }: FieldProps<V, T>) {
  const id = useId()
  const { field, fieldState } = useController({ control, name })
  const error = fieldState.error?.message
  const register = field.ref
  useEffect(() => {
    register({ focus: () => document.getElementById(id)?.focus() })
  }, [register, id])

  const described = [error !== undefined && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean).join(' ')
  return {
    id,
    error,
    field,
    status: error === undefined ? ('default' as const) : ('error' as const),
    aria: {
      'aria-labelledby': `${id}-label`,
      'aria-invalid': error !== undefined,
      'aria-required': required,
      ...(described !== '' && { 'aria-describedby': described }),
    },
  }
}

interface FieldFrameProps {
  readonly id: string
  readonly label: string
  readonly required?: boolean | undefined
  readonly error: string | undefined
  readonly help?: ReactNode
  /** Radios and switches are no `<input id>`, so their label is a plain text they refer to. */
  readonly plainLabel?: boolean
  readonly children: ReactNode
}

export function FieldFrame({ id, label, required, error, help, plainLabel = false, children }: FieldFrameProps) {
  const Label = plainLabel ? 'span' : 'label'
  return (
    <div className="nl-field">
      <Label id={`${id}-label`} className="nl-label" {...(!plainLabel && { htmlFor: id })}>
        {label}
        {required && (
          <span className="nl-required" aria-hidden="true">
            *
          </span>
        )}
      </Label>
      {children}
      <FieldNotes id={id} error={error} help={help} />
    </div>
  )
}

export function FieldNotes({ id, error, help }: Pick<FieldFrameProps, 'id' | 'error' | 'help'>) {
  return (
    <>
      {error !== undefined && (
        <span id={`${id}-error`} role="alert" className="nl-error">
          {error}
        </span>
      )}
      {help !== undefined && (
        <span id={`${id}-help`} className="nl-help">
          {help}
        </span>
      )}
    </>
  )
}
