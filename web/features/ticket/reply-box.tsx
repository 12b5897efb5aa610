import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { IMAGE_RULE } from '#contract/kernel/uploads.ts'
import { replyContent } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { useOwner } from '#lib/session/session.ts'
import { writeStored } from '#lib/session/browser-storage.ts'
import { Form } from '#ui/form/form.tsx'
import { TextAreaField } from '#ui/form/inputs/text-area-field.tsx'
import { UploadList } from '#ui/form/upload/file-drop.tsx'
import { STILL_UPLOADING, useUploads } from '#ui/form/upload/use-uploads.ts'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { uploadImage, useReply } from './api.ts'
import styles from './conversation.module.css'
import { SnapshotField, toTarget } from './snapshot-field.tsx'

/* Reply form of a ticket, with images chosen, pasted or dropped; Ctrl+Enter sends. Unsent text is kept per ticket. */

const schema = z.object({ content: replyContent, snapshot: z.string() })

export function ReplyBox({ number }: { readonly number: string }) {
  const owner = useOwner()
  const form = useContractForm(schema, { content: readDraft(owner, number), snapshot: '' })
  const uploads = useUploads({ rule: IMAGE_RULE, maxFiles: UPLOAD.ticketFiles, upload: uploadImage })
  const [hasSnapshot, setHasSnapshot] = useState(false)
  const [isOver, setOver] = useState(false)
  const reply = useReply()
  const content = form.watch('content')
  useEffect(() => saveDraft(owner, number, content), [owner, number, content])

  const send = async ({ content: text, snapshot }: z.output<typeof schema>) => {
    if (uploads.isUploading) return uploads.setRefused(() => STILL_UPLOADING)
    if (!(await uploads.confirmWithoutFailed())) return
    await reply.trigger({
      ticket_number: number,
      content: text,
      file_ids: uploads.fileIds,
      snapshot: toTarget(snapshot),
    })
    form.reset({ content: '', snapshot: '' })
    uploads.clear()
    setHasSnapshot(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void form.submit(send)()
  }
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    const files = filesOf(data)
    if (files.length === 0) return // the browser inserts the text
    event.preventDefault() // else it inserts the file's name, or opens the file
    uploads.take(files)
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    take(event, event.dataTransfer)
  }
  return (
    <Form form={form} onSubmit={send}>
      <div
        className={isOver ? `${styles.composer} ${styles.over}` : styles.composer}
        onKeyDown={onKeyDown}
        onPaste={(event) => take(event, event.clipboardData)}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <TextAreaField
          control={form.control}
          name="content"
          label="回复内容"
          required
          max={TICKET.replyMax}
          placeholder="可粘贴或拖入图片"
        />
        <Attachments uploads={uploads} />
        {hasSnapshot && <SnapshotField control={form.control} name="snapshot" preset="" />}
      </div>
      <div className={styles.foot}>
        <ImageButton isFull={uploads.isFull} onFiles={uploads.take} />
        {!hasSnapshot && <Button onClick={() => setHasSnapshot(true)}>附诊断快照</Button>}
        <small>Ctrl+Enter 发送</small>
        <Button htmlType="submit" theme="solid" loading={form.busy}>
          发送
        </Button>
      </div>
    </Form>
  )
}

/** Files of a paste or drop. Beside a text that is no name or address of them they are its picture, which office programs add. */
function filesOf(data: DataTransfer): readonly File[] {
  const files = [...data.files]
  const isAddress = (line: string) =>
    /^[a-z]+:\/\/\S+$/.test(line) || files.some(({ name }) => line === '' || line.endsWith(name))
  return data
    .getData('text/plain')
    .split(/[\r\n]+/)
    .every((line) => isAddress(line.trim()))
    ? files
    : []
}

function ImageButton({ isFull, onFiles }: { isFull: boolean; onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择图片"
        accept={IMAGE_RULE.extensions.join(',')}
        multiple
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = '' // else choosing the same file again fires no change event
        }}
      />
      <Button disabled={isFull} onClick={() => input.current?.click()}>
        添加图片
      </Button>
    </>
  )
}

function Attachments({ uploads }: { readonly uploads: ReturnType<typeof useUploads> }) {
  return (
    <>
      {uploads.refused !== null && (
        <span role="alert" className="nl-error">
          {uploads.refused}
        </span>
      )}
      <UploadList uploads={uploads} />
    </>
  )
}

const KEY = 'netloom.ticket-drafts'
const stored = z.record(z.string(), z.string())
type Drafts = z.infer<typeof stored>

const draftKey = (owner: string, number: string): string => `${owner} ${number}`

export const readDraft = (owner: string, number: string): string => read()[draftKey(owner, number)] ?? ''

/** An empty text deletes the draft; beyond the maximum the oldest drafts go. */
export function saveDraft(owner: string, number: string, text: string): void {
  const key = draftKey(owner, number)
  const { [key]: _, ...others } = read()
  const kept = Object.entries(others).slice(1 - TICKET.draftsKept)
  const next = Object.fromEntries(text === '' ? kept : [...kept, [key, text]])
  writeStored('localStorage', KEY, JSON.stringify(next))
}

function read(): Drafts {
  try {
    return stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '{}')).data ?? {}
  } catch {
    return {} // storage blocked, or written by something else
  }
}
