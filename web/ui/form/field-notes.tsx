import type { ReactNode } from 'react'
import './field.css'

interface FieldNotesProps {
  /** Of the field: its input is described by `${id}-error` and `${id}-help`. */
  readonly id: string
  readonly error: string | undefined
  readonly help?: ReactNode
}

/** Lines under a field: what is wrong with it, and what it is for. Lists have fields too, and no form library. */
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
