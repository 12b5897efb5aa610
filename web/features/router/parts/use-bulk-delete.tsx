import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import { BatchResult, type BatchRow } from '../../../ui/batch-result.tsx'
import type { Selection } from '../../../ui/data-table.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSelection } from '../../../ui/use-selection.ts'
import type { RouterRow } from '../router-text.ts'
import { BulkActions } from './bulk-actions.tsx'

const BatchDeleteDialog = lazy(() =>
  import('../dialogs/batch-delete-dialog.tsx').then((m) => ({ default: m.BatchDeleteDialog })),
)

interface BulkDelete {
  /** Undefined for a role that may not delete. */
  readonly selection: Selection<RouterRow> | undefined
  /** Opens the dialog that deletes by list or by file. */
  readonly openDelete: () => void
  /** That dialog, and what became of each member where some of them stay. */
  readonly report: ReactNode
}

/** Members that are selected for a bulk action; each kind has a selection of its own. */
export function useBulkDelete(type: RouterType, isAllowed: boolean): BulkDelete {
  const { keys, onChange, clear } = useSelection(String(type))
  const [rows, setRows] = useState<readonly BatchRow[] | null>(null)
  const [isOpen, setOpen] = useState(false)
  const onDeleted = (refused: readonly BatchRow[] | null) => {
    clear()
    setRows(refused)
  }
  const actions = <BulkActions type={type} names={[...keys]} onDeleted={onDeleted} />
  const noun = type === ROUTER_TYPE.hardware ? '硬件成员' : '软件成员'
  return {
    selection: isAllowed ? { keys, onChange, actions } : undefined,
    openDelete: () => setOpen(true),
    report: (
      <>
        {isOpen && (
          <Suspense fallback={null}>
            <BatchDeleteDialog names={[...keys]} onDeleted={clear} onClose={() => setOpen(false)} />
          </Suspense>
        )}
        {rows !== null && (
          <Dialog title={`删除${noun}的结果`} onClose={() => setRows(null)}>
            <BatchResult label="每个成员的结果" rows={rows} />
          </Dialog>
        )}
      </>
    ),
  }
}
