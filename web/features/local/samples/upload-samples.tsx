import * as z from 'zod'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { ApiError } from '#lib/call/transport.ts'
import { BatchResult, type BatchRow } from '#ui/state/batch-result.tsx'
import { IMAGE_RULE, SHEET_RULE } from '#contract/kernel/uploads.ts'
import { FileField } from '#ui/form/upload/file-field.tsx'
import { Form } from '#ui/form/form.tsx'
import { UploadField } from '#ui/form/upload/upload-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import styles from '../kit.module.css'

const schema = z.object({ file: z.instanceof(File), file_ids: z.array(z.string()) })

const RESULT: readonly BatchRow[] = Array.from({ length: 24 }, (_, index) => {
  const name = `branch${String(index + 1).padStart(2, '0')}`
  if (index % 7 === 3) return { name, done: false, note: '手机号码重复' }
  return { name, done: true }
})

/** Takes a second, and refuses certain file names. */
async function upload(file: File): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  if (file.name.includes('bad')) throw new ApiError(422, '文件内容不是图片，请重新选择')
  return `file-${file.name}`
}

export function UploadSamples() {
  const form = useContractForm(schema, { file_ids: [] })
  return (
    <div className={styles.forms}>
      <Panel title="批量添加">
        <Form form={form} onSubmit={() => {}}>
          <FileField control={form.control} name="file" label="成员文件" required rule={SHEET_RULE} />
          <UploadField
            control={form.control}
            name="file_ids"
            label="附件"
            rule={IMAGE_RULE}
            maxFiles={UPLOAD.ticketFiles}
            upload={upload}
          />
        </Form>
      </Panel>
      <Panel title="批量结果">
        <BatchResult label="批量添加结果" rows={RESULT} />
      </Panel>
    </div>
  )
}
