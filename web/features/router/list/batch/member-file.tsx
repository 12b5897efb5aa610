import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { SHEET_RULE } from '#contract/kernel/uploads.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FileField } from '#ui/form/upload/file-field.tsx'
import { FormFailure } from '#ui/form/form.tsx'
import { BatchResult, type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { type ErrorView, isQuota } from '#ui/state/error-view.ts'

/* File of members in bulk actions: form field with template, errors of the upload, and the dialog with its results. */

/** Error of an upload; one without an answer gets the sentence of the specification (network 8). */
export const toUploadFailure = (error: unknown): unknown =>
  error instanceof ApiError && error.code === NETWORK_ERROR ? new ApiError(NETWORK_ERROR, SENTENCE.fault) : error

interface MemberFileFieldProps<V extends FieldValues, T> {
  readonly control: Control<V, unknown, T>
  readonly rules: string
  readonly onTemplate: () => void
}

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

type FileRow = Output<typeof routerApi.batch>['result'][number]

const LEFT_OUT: ErrorKey = 'ROW_LEFT_OUT'

export const toFileRows = (result: readonly FileRow[]): readonly BatchRow[] =>
  result.map(({ row, router_name, ok, msg, reason }) => ({
    ...toBatchRow(`第${row}行 ${router_name}`, ok, msg),
    ...(reason === LEFT_OUT && { isLeftOut: true }),
  }))

/** Refusal of the first row that a quota refuses. */
export function findQuotaRefusal(result: readonly FileRow[]): ErrorView | null {
  const refused = result.find(({ reason = '' }) => isQuota(reason))
  return refused === undefined ? null : { message: refused.msg, isQuota: true }
}

interface BatchResultDialogProps {
  readonly title: string
  readonly rows: readonly BatchRow[]
  readonly quotaRefusal?: ErrorView | null
  readonly onUploadAgain?: (() => void) | undefined
  readonly onClose: () => void
}

/** Result of each row of a batch. It offers the upload again if a row of a file has failed. */
export function BatchResultDialog(props: BatchResultDialogProps) {
  const { title, rows, quotaRefusal = null, onUploadAgain, onClose } = props
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          {onUploadAgain !== undefined && rows.some(({ done }) => !done) && (
            <Button onClick={onUploadAgain}>重新上传</Button>
          )}
          <PrimaryButton onClick={onClose}>完成</PrimaryButton>
        </>
      }
    >
      <FormFailure failure={quotaRefusal} />
      <BatchResult label="每个成员的结果" rows={rows} />
    </Dialog>
  )
}
