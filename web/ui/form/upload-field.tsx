import { useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { toErrorView } from '../error-view.ts'
import { FileDrop, FileRow } from '../file-drop.tsx'
import { checkFile, type FileRule } from '../../../worker/contract/uploads.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface UploadFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly rule: FileRule
  readonly maxFiles: number
  /** Sends one file at once and resolves to the id the form carries. */
  readonly upload: (file: File) => Promise<string>
}

interface Item {
  readonly key: number
  readonly file: File
  readonly state: 'ready' | 'uploading' | 'failed'
  readonly fileId?: string
  readonly reason?: string
}

function fileIds(items: readonly Item[]): string[] {
  return items.flatMap(({ fileId }) => (fileId === undefined ? [] : [fileId]))
}

const STILL_UPLOADING = '文件上传中，请稍候'

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

/** Attachments, uploaded when chosen. Holds the ids of the uploaded ones. */
export function UploadField<V extends FieldValues, T>(props: UploadFieldProps<V, T>) {
  const { rule, maxFiles, upload, disabled = false } = props
  const { id, frame, error, field } = useField(props)
  const [items, setItems] = useState<readonly Item[]>([])
  const [refused, setRefused] = useState<string | null>(null)
  const nextKey = useRef(0)

  const onChange = useLatest(field.onChange)
  useEffect(() => {
    if (items.length > 0 || nextKey.current > 0) onChange.current(fileIds(items))
  }, [items, onChange])

  const isUploading = items.some(({ state }) => state === 'uploading')
  useEffect(() => (isUploading ? blockSubmit(id, setRefused) : undefined), [isUploading, id])

  const put = (item: Item) => setItems((now) => now.map((other) => (other.key === item.key ? item : other)))
  const send = async (item: Item) => {
    put({ ...item, state: 'uploading' })
    try {
      put({ key: item.key, file: item.file, state: 'ready', fileId: await upload(item.file) })
    } catch (cause) {
      put({ key: item.key, file: item.file, state: 'failed', reason: toErrorView(cause).message })
    }
  }
  const take = (files: readonly File[]) => {
    const refusals = files.map((file) => checkFile(file, rule)).filter((refusal) => refusal !== null)
    const fit = files.filter((file) => checkFile(file, rule) === null).slice(0, maxFiles - items.length)
    const surplus = files.length - refusals.length - fit.length
    setRefused(refusals[0] ?? (surplus > 0 ? `最多上传${maxFiles}个文件` : null))
    const added = fit.map((file): Item => ({ key: nextKey.current++, file, state: 'uploading' }))
    setItems((now) => [...now, ...added])
    for (const item of added) void send(item)
  }
  return (
    <FieldFrame {...frame} error={refused ?? error}>
      <FileDrop
        id={id}
        rule={rule}
        multiple={maxFiles > 1}
        disabled={disabled || items.length >= maxFiles}
        onFiles={take}
      />
      {items.length > 0 && (
        <ul className="nl-files">
          {items.map((item) => (
            <FileRow
              key={item.key}
              name={item.file.name}
              bytes={item.file.size}
              state={item.state}
              reason={item.reason}
              onRetry={item.state === 'failed' ? () => send(item) : undefined}
              onRemove={() => setItems((now) => now.filter(({ key }) => key !== item.key))}
            />
          ))}
        </ul>
      )}
    </FieldFrame>
  )
}
