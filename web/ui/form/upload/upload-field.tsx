import { useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FileDrop, UploadList } from './file-drop.tsx'
import { useLatest } from '#lib/use-latest.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { STILL_UPLOADING, type UploadRules, useUploads } from './use-uploads.ts'

/* Form field of attachments that upload when chosen. Holds the ids of the uploaded files. */

/** Blocks the form's submit while an upload is pending; returns the function that unblocks it. */
function blockSubmit(id: string, setError: (change: (error: string | null) => string | null) => void): () => void {
  const form = document.getElementById(id)?.closest('form')
  const block = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    setError(() => STILL_UPLOADING)
  }
  form?.addEventListener('submit', block, true)
  return () => {
    form?.removeEventListener('submit', block, true)
    setError((error) => (error === STILL_UPLOADING ? null : error))
  }
}

export function UploadField<V extends FieldValues, T>(props: FieldProps<V, T> & UploadRules) {
  const { rule, maxFiles, upload } = props
  const { id, frame, error, field } = useField(props)
  const uploads = useUploads({ rule, maxFiles, upload })
  const { refused, setRefused, fileIds, isUploading } = uploads

  const onChange = useLatest((ids: readonly string[]) => field.onChange(ids))
  const isTouched = useRef(false)
  const ids = fileIds.join(' ')
  useEffect(() => {
    if (isTouched.current || ids !== '') onChange.current(ids.split(' ').filter(Boolean))
    isTouched.current ||= ids !== ''
  }, [ids, onChange])

  useEffect(() => (isUploading ? blockSubmit(id, setRefused) : undefined), [isUploading, id, setRefused])
  return (
    <FieldFrame {...frame} error={refused ?? error}>
      <FileDrop id={id} rule={rule} multiple={maxFiles > 1} disabled={uploads.isFull} onFiles={uploads.take} />
      <UploadList uploads={uploads} />
    </FieldFrame>
  )
}
