import { useEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FileDrop, UploadList } from './file-drop.tsx'
import { useLatest } from '#lib/use-latest.ts'
import { FILE_REQUIRED } from '#contract/kernel/uploads.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { STILL_UPLOADING, type UploadRules, useUploads } from './use-uploads.ts'

/* Form field of attachments that upload when chosen. Holds the ids of the uploaded files. */

/** Stops the submits of the form around an element, until the returned function is called. `send` sends it once. */
function interceptSubmit(id: string, onSubmit: (send: () => void) => void): () => void {
  const form = document.getElementById(id)?.closest('form')
  if (!form) return () => {}
  let isLetThrough = false
  const send = () => {
    isLetThrough = true
    form.requestSubmit()
    isLetThrough = false
  }
  const stop = (event: Event) => {
    if (isLetThrough) return
    event.preventDefault()
    event.stopPropagation()
    onSubmit(send)
  }
  form.addEventListener('submit', stop, true)
  return () => form.removeEventListener('submit', stop, true)
}

export function UploadField<V extends FieldValues, T>(props: FieldProps<V, T> & UploadRules) {
  const { rule, maxFiles, upload } = props
  const { id, frame, error, field } = useField({ missing: FILE_REQUIRED, ...props })
  const uploads = useUploads({ rule, maxFiles, upload })
  const { refused, setRefused, fileIds, isUploading } = uploads

  const onChange = useLatest((ids: readonly string[]) => field.onChange(ids))
  const isTouched = useRef(false)
  const ids = fileIds.join(' ')
  useEffect(() => {
    if (isTouched.current || ids !== '') onChange.current(ids.split(' ').filter(Boolean))
    isTouched.current ||= ids !== ''
  }, [ids, onChange])

  useEffect(() => {
    if (!isUploading) return
    const pass = interceptSubmit(id, () => setRefused(STILL_UPLOADING))
    return () => {
      pass()
      setRefused((error) => (error === STILL_UPLOADING ? null : error))
    }
  }, [isUploading, id, setRefused])

  const latest = useLatest(uploads)
  const isAsked = uploads.hasFailed && !isUploading
  useEffect(() => {
    if (!isAsked) return
    return interceptSubmit(id, (send) => {
      void latest.current.confirmWithoutFailed().then((isSent) => isSent && send())
    })
  }, [isAsked, id, latest])
  return (
    <FieldFrame {...frame} error={refused ?? error}>
      <FileDrop id={id} rule={rule} multiple={maxFiles > 1} disabled={uploads.isFull} onFiles={uploads.take} />
      <UploadList uploads={uploads} />
    </FieldFrame>
  )
}
