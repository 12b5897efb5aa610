import { type ReactNode, useState } from 'react'
import { BatchResult } from '#ui/state/batch-result.tsx'
import type { Selection } from '#ui/table/data-table.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import type { MemberRights } from '#pages/router/rights.ts'
import type { RouterRow } from '#pages/router/router-text.ts'
import { BulkActions, type BulkReport } from './bulk-actions.tsx'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

const BatchDeleteDialog = lazyDialog(() =>
  import('./batch-delete-dialog.tsx').then((m) => ({ default: m.BatchDeleteDialog })),
)

interface Bulk {
  /** Selected rows; undefined for a role without any bulk action. */
  readonly selection: Selection<RouterRow> | undefined
  /** Opens the dialog that deletes by list or by file. */
  readonly openDelete: () => void
  /** Delete dialog, and the result of each member where some were refused. */
  readonly report: ReactNode
}

/** Members that are selected for a bulk action; each kind has a selection of its own. */
export function useBulkActions(type: RouterType, rights: MemberRights): Bulk {
  const { keys, onChange, clear } = useSelection(String(type))
  const [report, setReport] = useState<BulkReport | null>(null)
  const [isOpen, setOpen] = useState(false)
  const onDone = (refused: BulkReport | null) => {
    clear()
    setReport(refused)
  }
  const names = [...keys]
  const actions = <BulkActions {...{ type, rights, names, onDone }} />
  const isAllowed = rights.delete || (type === ROUTER_TYPE.hardware && (rights.edit || rights.editNetworks))
  return {
    selection: isAllowed ? { keys, onChange, actions } : undefined,
    openDelete: () => setOpen(true),
    report: (
      <>
        {isOpen && <BatchDeleteDialog names={names} onDeleted={clear} onClose={() => setOpen(false)} />}
        {report !== null && (
          <Dialog title={report.title} onClose={() => setReport(null)}>
            <BatchResult label="每个成员的结果" rows={report.rows} />
          </Dialog>
        )}
      </>
    ),
  }
}
