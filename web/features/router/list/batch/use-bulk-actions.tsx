import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { DONE } from '#contract/kernel/result.ts'
import { BatchResult, type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { MemberRights } from '#pages/router/rights.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { copyWithToast } from '#lib/clipboard.ts'
import { toast } from '#lib/toast/toast.ts'
import { toBulkRows, useDeleteRouters, useResendToRouters } from '#pages/router/api.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useSelection } from '#ui/table/use-list-state.ts'
import { confirmBatchDelete } from '../confirm-delete.ts'

/* Bulk actions on selected members: copy, note, network, resend and delete. Each kind has its own selection. */

const BatchDeleteDialog = lazyDialog(() => import('./batch-delete-dialog.tsx').then((m) => m.BatchDeleteDialog))

const DIALOGS = {
  note: lazyDialog(() => import('./bulk-note-and-network-dialogs.tsx').then((m) => m.BulkNoteDialog)),
  network: lazyDialog(() => import('./bulk-note-and-network-dialogs.tsx').then((m) => m.BulkNetworkDialog)),
}

interface BulkReport {
  readonly title: string
  readonly rows: readonly BatchRow[]
}

interface BulkActionsProps {
  readonly type: RouterType
  readonly rights: MemberRights
  readonly names: readonly string[]
  /** Called at the end; without a report all was done. */
  readonly onDone: (report: BulkReport | null) => void
}

function BulkActions({ type, rights, names, onDone }: BulkActionsProps) {
  const remove = useDeleteRouters()
  const resend = useResendToRouters()
  const [kind, setKind] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = kind && DIALOGS[kind]
  const isHardware = type === ROUTER_TYPE.hardware
  const noun = isHardware ? '硬件成员' : '软件成员'
  const finish = (title: string, rows: readonly BatchRow[], done: string) => {
    const isWhole = rows.every((row) => row.done)
    if (isWhole) toast.done(done)
    onDone(isWhole ? null : { title, rows })
  }
  const copy = () => copyWithToast(names.join('\n'))
  const deleteAll = async () => {
    let rows: readonly BatchRow[] = []
    const isDone = await confirmBatchDelete({ isHardware, names }, async (sent) => {
      const { data } = await remove.trigger({ router_name: [...names], ...sent })
      rows = data.result.map(({ router_name, deleted, msg }) => toBatchRow(router_name, deleted, msg))
    })
    if (isDone) onDone({ title: `删除${noun}的结果`, rows }) // a result table in both modes (network 2)
  }
  const resendAll = async () => {
    let rows: readonly BatchRow[] = []
    const isDone = await confirm({
      title: `重新下发 ${names.length} 个成员的配置？`,
      body: '离线的成员会在上线后收到最新配置。',
      items: names,
      verb: '重新下发',
      run: async () => {
        rows = toBulkRows(await resend.trigger({ router_name: [...names] }))
      },
    })
    if (isDone) finish('重新下发的结果', rows, DONE.resent)
  }
  return (
    <>
      <Button onClick={() => void copy()}>复制{isHardware ? '序列号' : '账号'}</Button>
      {isHardware && rights.edit && <Button onClick={() => setKind('note')}>修改备注</Button>}
      {isHardware && rights.editNetworks && <Button onClick={() => setKind('network')}>加入组网</Button>}
      {isHardware && rights.edit && <Button onClick={() => void resendAll()}>重新下发</Button>}
      {rights.delete && (
        <Button type="danger" onClick={() => void deleteAll()}>
          批量删除
        </Button>
      )}
      {Dialog && <Dialog names={names} onDone={finish} onClose={() => setKind(null)} />}
    </>
  )
}

/** `selection` is undefined for a role without any bulk action. */
export function useBulkActions(type: RouterType, rights: MemberRights) {
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
