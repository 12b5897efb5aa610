import Button from '@douyinfe/semi-ui/lib/es/button'
import { DONE } from '../../../../worker/contract/result.ts'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import { toast } from '../../../lib/toast.ts'
import { type BatchRow, toBatchRow } from '../../../ui/batch-result.tsx'
import { useDeleteRouters } from '../api.ts'
import { confirmBatchDelete } from '../dialogs/confirm-delete.ts'

interface BulkActionsProps {
  readonly type: RouterType
  readonly names: readonly string[]
  /** What became of each, where some of them stay. */
  readonly onDeleted: (refused: readonly BatchRow[] | null) => void
}

/** What can be done with several members at once. */
export function BulkActions({ type, names, onDeleted }: BulkActionsProps) {
  const remove = useDeleteRouters()
  const noun = type === ROUTER_TYPE.hardware ? '硬件成员' : '软件成员'

  const copy = () =>
    navigator.clipboard.writeText(names.join('\n')).then(
      () => toast.done('复制成功'),
      () => toast.error('复制失败，请手动选择'),
    )
  const deleteAll = async () => {
    let rows: readonly BatchRow[] = []
    const isDone = await confirmBatchDelete({ noun, names }, async (sent) => {
      const { data } = await remove.trigger({ router_name: [...names], ...sent })
      rows = data.result.map(({ router_name, deleted, msg }) => toBatchRow(router_name, deleted, msg))
    })
    if (!isDone) return
    const isWhole = rows.every(({ done }) => done)
    if (isWhole) toast.done(DONE.deleted)
    onDeleted(isWhole ? null : rows)
  }
  return (
    <>
      <Button onClick={() => void copy()}>复制{type === ROUTER_TYPE.hardware ? '序列号' : '账号'}</Button>
      <Button type="danger" onClick={() => void deleteAll()}>
        批量删除
      </Button>
    </>
  )
}
