import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { FieldNotes } from './field-notes.tsx'
import './field-rows.css'

/* Rows of a list in a form: fields and 删除 in each, and a button that adds one. */

interface FieldRowsProps {
  /** Name of the list in the form. */
  readonly name: string
  readonly rows: readonly { readonly id: string }[]
  /** Class that sets the columns of a row. */
  readonly rowClass: string
  readonly labelOf: (index: number) => string
  /** Sentence without a row. */
  readonly empty: string
  readonly addLabel: string
  readonly isFull: boolean
  readonly error: string | undefined
  readonly onAdd: () => void
  readonly onRemove: (index: number) => void
  /** Fields of a row, and buttons before 删除. */
  readonly children: (index: number) => ReactNode
}

export function FieldRows({
  name,
  rows,
  rowClass,
  labelOf,
  empty,
  addLabel,
  isFull,
  error,
  onAdd,
  onRemove,
  children,
}: FieldRowsProps) {
  return (
    <>
      <div className="nl-field-rows">
        {rows.map(({ id }, i) => (
          <fieldset key={id} className={`nl-field-row ${rowClass}`} aria-label={labelOf(i)}>
            {children(i)}
            <Button theme="borderless" type="danger" aria-label={`删除${labelOf(i)}`} onClick={() => onRemove(i)}>
              删除
            </Button>
          </fieldset>
        ))}
      </div>
      {rows.length === 0 && <p className="nl-muted">{empty}</p>}
      <FieldNotes id={name} error={error} />
      <Button onClick={onAdd} disabled={isFull}>
        {addLabel}
      </Button>
    </>
  )
}
