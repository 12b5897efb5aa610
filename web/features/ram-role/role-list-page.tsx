import { useState } from 'react'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { type RoleRow, useDeleteRole, useRoles } from './api.ts'
import { NETWORK } from '#contract/network/limits.ts'
import type { RoleAuth } from '#contract/ram-role/index.ts'
import { TruncatedText } from '#ui/layout/text/tooltip.tsx'

/* Page of the roles of sub-accounts (directory 2). */

const RoleDialog = lazyDialog(() => import('./role-dialog.tsx').then((m) => m.RoleDialog))

export function RoleListPage() {
  const list = useListState({})
  const query = useRoles(list)
  const remove = useDeleteRole()
  const [edited, setEdited] = useState<RoleRow | 'new' | null>(null)
  const toRowActions = (row: RoleRow): readonly RowAction[] => [
    { label: '编辑', onSelect: () => setEdited(row) },
    {
      label: '删除',
      danger: true,
      onSelect: () => void confirmDelete(row, () => remove.trigger({ id: row.id })),
    },
  ]
  const add = (
    <ActionButton theme="solid" onClick={() => setEdited('new')}>
      添加角色
    </ActionButton>
  )
  return (
    <ListPage
      title="角色"
      actions={add}
      searchLabel="搜索角色名称或备注"
      columns={COLUMNS}
      rowKey={(row) => String(row.id)}
      rowName={(row) => row.name}
      toRowActions={toRowActions}
      empty={{ hint: '角色决定子账号能做什么、能看到哪些组网。', action: add }}
      {...{ list, query }}
    >
      {edited !== null && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </ListPage>
  )
}

function scopeText({ easylink: { network } }: Pick<RoleAuth, 'easylink'>): string {
  if (network.number === null) return '全部组网'
  return network.number.length === 0 ? '无' : `${network.number.length} 个组网`
}

const COLUMNS: readonly Column<RoleRow>[] = [
  { key: 'name', title: '角色', isName: true, cell: (row) => row.name },
  { key: 'note', title: '备注', cell: (row) => <TruncatedText text={row.note || '—'} max={NETWORK.noteShown} /> },
  { key: 'scope', title: '组网范围', cell: (row) => scopeText(row.auth) },
  { key: 'rams', title: '子账号', align: 'right', cell: (row) => row.ram_count },
  { key: 'create', title: '创建时间', from: 'lg', cell: (row) => <TimeText at={row.create_time} /> },
  { key: 'update', title: '更新时间', from: 'md', cell: (row) => <TimeText at={row.update_time} /> },
]

const confirmDelete = ({ name }: RoleRow, run: () => Promise<unknown>) =>
  confirm({ title: `删除角色“${name}”？`, body: '是否确定删除? 删除后不能恢复。', verb: '删除角色', danger: true, run })
