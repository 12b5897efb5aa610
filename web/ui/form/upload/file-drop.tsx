import IconUpload from '@douyinfe/semi-icons/lib/es/icons/IconUpload'
import { type DragEvent, useRef, useState } from 'react'
import { fileSizeText } from '#lib/format/format-unit.ts'
import './file-drop.css'
import type { FileRule } from '#contract/kernel/uploads.ts'
import type { useUploads } from './use-uploads.ts'

/* Area where files are dropped or chosen, a row of one file, and the list of an upload field. */

const ONE_FILE = '只能选择一个文件，请重新选择'

interface FileDropProps {
  readonly id: string
  readonly rule: FileRule
  readonly multiple: boolean
  readonly disabled: boolean
  readonly onFiles: (files: readonly File[]) => void
}

export function FileDrop({ id, rule, multiple, disabled, onFiles }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [isTooMany, setTooMany] = useState(false)
  const take = (files: readonly File[]) => {
    setTooMany(!multiple && files.length > 1)
    if (multiple || files.length === 1) onFiles(files)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) take([...event.dataTransfer.files])
  }
  return (
    <>
      <label
        className={`nl-flow nl-drop${over ? ' nl-drop-over' : ''}${disabled ? ' nl-drop-off' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          type="file"
          className="nl-sr"
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-error ${id}-rule`}
          accept={rule.extensions.join(',')}
          multiple={multiple}
          disabled={disabled}
          onChange={(event) => {
            take([...(event.target.files ?? [])])
            event.target.value = '' // else choosing the same file again fires no change event
          }}
        />
        <IconUpload aria-hidden="true" />
        <span>
          <b>选择文件</b>，或拖到此处
        </span>
        <small id={`${id}-rule`}>
          支持 {rule.extensions.map((extension) => extension.slice(1)).join('、')}，不超过 {fileSizeText(rule.maxBytes)}
        </small>
      </label>
      {isTooMany && (
        <span role="alert" className="nl-error">
          {ONE_FILE}
        </span>
      )}
    </>
  )
}

interface FileRowProps {
  readonly name: string
  readonly bytes: number
  readonly state: 'ready' | 'uploading' | 'failed'
  readonly reason?: string | undefined
  readonly onRetry?: (() => void) | undefined
  readonly onRemove: () => void
}

export function FileRow({ name, bytes, state, reason, onRetry, onRemove }: FileRowProps) {
  return (
    <li className={`nl-file nl-file-${state}`} aria-busy={state === 'uploading'}>
      <span className="nl-clip" title={name}>
        {name}
      </span>
      <small>{state === 'uploading' ? '上传中…' : fileSizeText(bytes)}</small>
      {onRetry !== undefined && (
        <button type="button" onClick={() => onRetry()}>
          重试
        </button>
      )}
      <button type="button" onClick={onRemove} aria-label={`移除 ${name}`}>
        移除
      </button>
      {reason !== undefined && (
        <span role="alert" className="nl-error">
          {reason}
        </span>
      )}
    </li>
  )
}

export function UploadList({ uploads }: { readonly uploads: ReturnType<typeof useUploads> }) {
  if (uploads.items.length === 0) return null
  return (
    <ul className="nl-files">
      {uploads.items.map((item) => (
        <FileRow
          key={item.key}
          name={item.file.name}
          bytes={item.file.size}
          state={item.state}
          reason={item.reason}
          onRetry={item.state === 'failed' && !item.isRefused ? () => uploads.retry(item) : undefined}
          onRemove={() => uploads.remove(item.key)}
        />
      ))}
    </ul>
  )
}
