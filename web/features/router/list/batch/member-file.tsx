import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import type { Control, FieldValues } from 'react-hook-form'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { SHEET_RULE } from '#contract/kernel/uploads.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ApiError, NETWORK_ERROR } from '#lib/call/transport.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FileField } from '#ui/form/upload/file-field.tsx'
import { UpgradeButtons } from '#ui/layout/buttons/upgrade-buttons.tsx'
import { BatchResult, type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { isQuota } from '#ui/state/error-view.ts'

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

export const findQuotaRefusal = (result: readonly FileRow[]): string | null =>
  result.find(({ reason = '' }) => isQuota(reason))?.msg ?? null

interface BatchResultDialogProps {
  readonly title: string
  readonly rows: readonly BatchRow[]
  /** Message of a quota that refuses rows; it comes with the offer of an upgrade. */
  readonly quotaRefusal?: string | null
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
          <Button theme="solid" onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      {quotaRefusal !== null && <QuotaNotice text={quotaRefusal} />}
      <BatchResult label="每个成员的结果" rows={rows} />
    </Dialog>
  )
}

function QuotaNotice({ text }: { readonly text: string }) {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <p role="alert" className="nl-failure">
      {text}
      <span className="nl-failure-actions">
        <UpgradeButtons onClose={() => setClosed(true)} />
      </span>
    </p>
  )
}
