import type { ReactNode } from 'react'
import './field.css'

/* Lines under a field: its error and its help. Separate from form fields, because lists use them too. */

interface FieldNotesProps {
  /** Id of the field; `${id}-error` and `${id}-help` describe its input. */
  readonly id: string
  readonly error: string | undefined
  readonly help?: ReactNode
}

export function FieldNotes({ id, error, help }: FieldNotesProps) {
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
