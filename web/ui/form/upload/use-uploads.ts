import { useRef, useState } from 'react'
import { checkFile, type FileRule } from '#contract/kernel/uploads.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toErrorView } from '#ui/state/error-view.ts'

/* Hook of files that upload as soon as they are chosen, pasted or dropped. */

export const STILL_UPLOADING = '文件上传中，请稍候'
/** Answers about the content or the size of a file. */
const OF_CONTENT: readonly number[] = [RESULT.invalid, 413]

interface UploadItem {
  readonly key: number
  readonly file: File
  readonly state: 'ready' | 'uploading' | 'failed'
  readonly fileId?: string
  readonly reason?: string
  /** The server has refused the file: another try cannot help, and it takes no place. */
  readonly isRefused?: true
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

  const taken = items.filter(({ isRefused }) => isRefused === undefined).length
  const failed = items.filter(({ state }) => state === 'failed').length

  const put = (item: UploadItem) => setItems((now) => now.map((other) => (other.key === item.key ? item : other)))
  const send = async ({ key, file }: UploadItem) => {
    put({ key, file, state: 'uploading' })
    try {
      put({ key, file, state: 'ready', fileId: await upload(file) })
    } catch (cause) {
      const isRefused = cause instanceof ApiError && OF_CONTENT.includes(cause.code)
      put({ key, file, state: 'failed', reason: toErrorView(cause).message, ...(isRefused && { isRefused }) })
    }
  }
  const take = (files: readonly File[]) => {
    const refusals = files.map((file) => checkFile(file, rule)).filter((refusal) => refusal !== null)
    const fit = files.filter((file) => checkFile(file, rule) === null).slice(0, maxFiles - taken)
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
    isFull: taken >= maxFiles,
    take,
    /** Resolves to true if the form may be sent without the failed files, if any. */
    confirmWithoutFailed: async (): Promise<boolean> =>
      failed === 0 ||
      confirm({ title: '仍要提交？', body: `不含 ${failed} 个上传失败的附件。`, verb: '仍要提交', cancel: '返回修改' }),
    hasFailed: failed > 0,
    retry: (item: UploadItem) => void send(item),
    remove: (key: number) => setItems((now) => now.filter((item) => item.key !== key)),
    clear: () => setItems([]),
  }
}
