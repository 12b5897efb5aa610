import { useRef, useState } from 'react'
import { checkFile, type FileRule } from '#contract/kernel/uploads.ts'
import { toErrorView } from '#ui/state/error-view.ts'

/* Hook of files that upload as soon as they are chosen, pasted or dropped. */

export const STILL_UPLOADING = '文件上传中，请稍候'

interface UploadItem {
  readonly key: number
  readonly file: File
  readonly state: 'ready' | 'uploading' | 'failed'
  readonly fileId?: string
  readonly reason?: string
}

export interface UploadRules {
  readonly rule: FileRule
  readonly maxFiles: number
  /** Sends one file at once; resolves to the id for the form. */
  readonly upload: (file: File) => Promise<string>
}

export function useUploads({ rule, maxFiles, upload }: UploadRules) {
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const [refused, setRefused] = useState<string | null>(null)
  const nextKey = useRef(0)

  const put = (item: UploadItem) => setItems((now) => now.map((other) => (other.key === item.key ? item : other)))
  const send = async ({ key, file }: UploadItem) => {
    put({ key, file, state: 'uploading' })
    try {
      put({ key, file, state: 'ready', fileId: await upload(file) })
    } catch (cause) {
      put({ key, file, state: 'failed', reason: toErrorView(cause).message })
    }
  }
  const take = (files: readonly File[]) => {
    const refusals = files.map((file) => checkFile(file, rule)).filter((refusal) => refusal !== null)
    const fit = files.filter((file) => checkFile(file, rule) === null).slice(0, maxFiles - items.length)
    const surplus = files.length - refusals.length - fit.length
    setRefused(refusals[0] ?? (surplus > 0 ? `最多上传${maxFiles}个文件` : null))
    const added = fit.map((file): UploadItem => ({ key: nextKey.current++, file, state: 'uploading' }))
    setItems((now) => [...now, ...added])
    for (const item of added) void send(item)
  }
  return {
    items,
    refused,
    setRefused,
    fileIds: items.flatMap(({ fileId }) => (fileId === undefined ? [] : [fileId])),
    isUploading: items.some(({ state }) => state === 'uploading'),
    isFull: items.length >= maxFiles,
    take,
    retry: (item: UploadItem) => void send(item),
    remove: (key: number) => setItems((now) => now.filter((item) => item.key !== key)),
    clear: () => setItems([]),
  }
}
