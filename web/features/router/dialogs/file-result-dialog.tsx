import Button from '@douyinfe/semi-ui/lib/es/button'
import { BatchResult, type BatchRow, toBatchRow } from '../../../ui/batch-result.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface FileRow {
  readonly row: number
  readonly router_name: string
  readonly ok: 0 | 1
  readonly msg: string
}

/** Rows of a file, each with its number in the spreadsheet. */
export const toFileRows = (result: readonly FileRow[]): readonly BatchRow[] =>
  result.map(({ row, router_name, ok, msg }) => toBatchRow(`第${row}行 ${router_name}`, ok, msg))

interface FileResultDialogProps {
  readonly title: string
  readonly rows: readonly BatchRow[]
  /** Goes back to the upload. */
  readonly onAgain?: (() => void) | undefined
  readonly onClose: () => void
}

export function FileResultDialog({ title, rows, onAgain, onClose }: FileResultDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          {onAgain !== undefined && rows.some(({ done }) => !done) && <Button onClick={onAgain}>重新上传</Button>}
          <Button theme="solid" type="primary" onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      <BatchResult label="每个成员的结果" rows={rows} />
    </Dialog>
  )
}
