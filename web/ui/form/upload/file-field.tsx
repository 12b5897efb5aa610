import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FileDrop, FileRow } from './file-drop.tsx'
import { checkFile, FILE_REQUIRED, type FileRule } from '#contract/kernel/uploads.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/**
 * Form field of one file that is sent with the form. Holds a File or null; a second choice replaces the first (network 5).
 */
export function FileField<V extends FieldValues, T>(props: FieldProps<V, T> & { readonly rule: FileRule }) {
  const { rule } = props
  const { id, frame, error, field } = useField({ missing: FILE_REQUIRED, ...props })
  const [refused, setRefused] = useState<string | null>(null)
  const file: unknown = field.value

  const take = ([chosen]: readonly File[]) => {
    if (chosen === undefined) return
    const refusal = checkFile(chosen, rule)
    setRefused(refusal)
    field.onChange(refusal === null ? chosen : null)
  }
  return (
    <FieldFrame {...frame} error={refused ?? error}>
      <FileDrop id={id} rule={rule} multiple={false} disabled={false} onFiles={take} />
      {file instanceof File && (
        <ul className="nl-files">
          <FileRow name={file.name} bytes={file.size} state="ready" onRemove={() => field.onChange(null)} />
        </ul>
      )}
    </FieldFrame>
  )
}
