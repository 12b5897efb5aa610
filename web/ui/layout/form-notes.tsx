import { type ReactNode, useId } from 'react'
import './form-notes.css'

/* Notes on the consequences of a form, and a form of a page beside them. */

interface FormNotesProps {
  readonly title?: string
  /** Sentences in their order. */
  readonly notes: readonly ReactNode[]
  readonly children: ReactNode
}

/** On a narrow screen the notes stand below the form. */
export function FormNotes({ title = '接下来', notes, children }: FormNotesProps) {
  const id = useId()
  return (
    <div className="nl-form-notes">
      <div>{children}</div>
      <section aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <NoteList notes={notes} />
      </section>
    </div>
  )
}

export function NoteList({ notes }: Pick<FormNotesProps, 'notes'>) {
  return (
    <ol className="nl-note-list">
      {notes.map((note, index) => (
        <li key={index}>{note}</li>
      ))}
    </ol>
  )
}
