import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import { SENTENCE } from '#contract/kernel/result.ts'
import { SHEET_RULE } from '#contract/kernel/uploads.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'
import { FileField } from '#ui/form/upload/file-field.tsx'

/** An upload that got no answer says so in the document's words (network 8). */
export const toUploadFailure = (error: unknown): unknown =>
  error instanceof ApiError && error.code === NETWORK_ERROR ? new ApiError(NETWORK_ERROR, SENTENCE.fault) : error

interface MemberFileFieldProps<V extends FieldValues, T> {
  /** Control of a form with a file. */
  readonly control: Control<V, unknown, T>
  readonly rules: string
  readonly onTemplate: () => void
}

/** One workbook of members, and the template for it. */
export function MemberFileField<V extends FieldValues, T>({ control, rules, onTemplate }: MemberFileFieldProps<V, T>) {
  return (
    <>
      <div>
        <Button onClick={onTemplate}>下载模板</Button>
      </div>
      <FileField control={control} name={'file' as never} label="成员文件" required rule={SHEET_RULE} help={rules} />
    </>
  )
}
