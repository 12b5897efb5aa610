import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import './field.css'
import { useLatest } from '#lib/use-latest.ts'
import { useErrorPlace } from './error-places.ts'
import { FieldNotes } from './field-notes.tsx'
import { afterPress } from './press.ts'

/* Base of all form fields: shared props, binding to the form, and the frame of label, error and help. */

/** Props that all form fields share. `T` is the output type of the schema. */
export interface FieldProps<V extends FieldValues, T> {
  readonly control: Control<V, unknown, T>
  readonly name: FieldPath<V>
  readonly label: string
  readonly required?: boolean
  /** Sentence for a required field that is empty. */
  readonly missing?: string
  /** Line under the input: allowed values, purpose. */
  readonly help?: ReactNode
  readonly disabled?: boolean
}

const FOCUSABLE = ':is(input, button, textarea, [tabindex="0"]):not(:disabled)'

/** Focuses the first focusable element of a field, also of a group such as radios or two dates. */
function focusField(id: string): void {
  const place = document.getElementById(id)
  const target = place?.matches(FOCUSABLE) ? place : place?.querySelector<HTMLElement>(FOCUSABLE)
  target?.focus()
}

/** Blur of a field, after the press that causes it; none if its click takes the field away, as one on 删除 of its row. */
function useDelayedBlur(onBlur: () => void): () => void {
  const latest = useLatest(onBlur) // a row above that goes away renames the field
  const isMounted = useRef(true)
  useLayoutEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () =>
    afterPress(() => {
      if (isMounted.current) latest.current()
    })
}

/**
 * Binds an input to value, label and error: spread `frame` on the FieldFrame and `input` on the text input, beside its own
 * `onChange`. Other controls use the parts. `clean` brings a typed text to its stored form when the field is left; the
 * schema does the same, so that its rules hold for the cleaned value: a limit of the input itself would act before.
 */
export function useField<V extends FieldValues, T>(props: FieldProps<V, T>, clean?: (typed: string) => string) {
  const { control, name, label, required = false, missing = `${label}不能为空`, help, disabled = false } = props
  const id = useId()
  const { field: bound, fieldState } = useController({ control, name })
  const field = { ...bound, onBlur: useDelayedBlur(bound.onBlur) }
  const [cleared, setCleared] = useState<object | null>(null)
  const error = fieldState.error === cleared ? undefined : fieldState.error?.message
  const latestError = useLatest(fieldState.error)
  useErrorPlace(control, name, required ? missing : null)
  const register = bound.ref
  useEffect(() => {
    register({ focus: () => focusField(id) })
  }, [register, id])

  const described = [error !== undefined && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean).join(' ')
  const status = error === undefined ? ('default' as const) : ('error' as const)
  const aria = {
    'aria-labelledby': `${id}-label`,
    'aria-invalid': error !== undefined,
    'aria-required': required,
    ...(described !== '' && { 'aria-describedby': described }),
  }
  const text: string | number = field.value ?? ''
  const leave = () => {
    const cleaned = clean === undefined || typeof text === 'number' ? text : clean(text)
    if (cleaned !== text) field.onChange(cleaned)
    field.onBlur()
  }
  return {
    id,
    error,
    field,
    status,
    aria,
    /** Hides the present error until the next validation. */
    clearError: () => setCleared(latestError.current ?? null),
    frame: { id, label, required, error, help },
    input: { ...aria, id, name: field.name, value: text, onBlur: leave, validateStatus: status, disabled },
  }
}

interface FieldFrameProps {
  readonly id: string
  readonly label: string
  readonly required?: boolean | undefined
  readonly error: string | undefined
  readonly help?: ReactNode
  /** Plain text as label, because radios and switches have no input with the id. */
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
