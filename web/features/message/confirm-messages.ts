import { COUNT_MAX } from '#contract/kernel/list.ts'
import { countText } from '#lib/format/format-unit.ts'
import { confirm } from '#ui/dialog/confirm.tsx'

type Run = () => Promise<unknown>

export const confirmRead = (count: number, run: Run): Promise<boolean> =>
  confirm({ title: `您确定要将选中的 ${count} 条消息标记为已读吗？`, verb: '标记已读', run })

export const confirmReadAll = (run: Run): Promise<boolean> =>
  confirm({
    title: '你确定将全部消息标记为已读吗',
    body: '包括未显示在当前列表中的消息，其他人的已读状态不变。',
    verb: '全部已读',
    run,
  })

export const confirmDelete = (count: number, run: Run): Promise<boolean> =>
  confirm({
    title: `您确定要删除选中的 ${count} 条消息吗？`,
    body: '删除后不可恢复，其他人仍可查看。',
    verb: '删除',
    danger: true,
    run,
  })

export const confirmDeleteAll = (total: number, run: Run): Promise<boolean> =>
  confirm({
    title: '你确定删除全部消息吗',
    body: `共 ${countText(total, COUNT_MAX)} 条，包括未显示在当前列表中的消息。删除后不可恢复，其他人仍可查看。`,
    verb: '删除全部',
    danger: true,
    run,
  })
