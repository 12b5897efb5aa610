import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { BatchResult, type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { isQuota } from '#ui/state/error-view.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { UpgradeButtons } from '#ui/layout/buttons/upgrade-buttons.tsx'

interface FileRow {
  readonly row: number
  readonly router_name: string
  readonly ok: 0 | 1
  readonly msg: string
  readonly reason?: string | undefined
}

const LEFT_OUT: ErrorKey = 'ROW_LEFT_OUT'

/** Rows of a file, each with its number in the spreadsheet. */
export const toFileRows = (result: readonly FileRow[]): readonly BatchRow[] =>
  result.map(({ row, router_name, ok, msg, reason }) => ({
    ...toBatchRow(`第${row}行 ${router_name}`, ok, msg),
    ...(reason === LEFT_OUT && { isLeftOut: true }),
  }))

/** The message of the first row that a quota refuses. */
export const findQuotaRefusal = (result: readonly FileRow[]): string | null =>
  result.find(({ reason = '' }) => isQuota(reason))?.msg ?? null

interface BatchResultDialogProps {
  readonly title: string
  readonly rows: readonly BatchRow[]
  /** Message of a quota that refuses rows: an upgrade is offered with it. */
  readonly quotaRefusal?: string | null
  readonly onUploadAgain?: (() => void) | undefined
  readonly onClose: () => void
}

/** Result of each row of a batch; the upload is offered again where a row of a file has failed. */
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
          <Button theme="solid" type="primary" onClick={onClose}>
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
