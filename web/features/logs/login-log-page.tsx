import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type LoginRow, useLogins } from './api.ts'
import { LogList, memberColumn, Mono, useLogRange, useMemberFilter } from './log-list.tsx'

/* Page of the sign-in log of software members (directory 2). */

const COLUMNS: readonly Column<LoginRow>[] = [
  memberColumn((row) => row.create_time),
  {
    key: 'result',
    title: '结果',
    phone: 'aside',
    cell: ({ success, reason }) =>
      success === 1 ? (
        <StatusWord word="成功" shape="tick" tone="ok" />
      ) : (
        <StatusWord word={reason === '' ? '失败' : `失败：${reason}`} shape="cross" tone="bad" />
      ),
  },
  { key: 'ip', title: 'IP', cell: (row) => <Mono text={row.ip} /> },
  {
    key: 'client',
    title: '客户端',
    from: 'md',
    cell: ({ os, version }) => [os, version].filter(Boolean).join(' ') || '—',
  },
  {
    key: 'device',
    title: '设备',
    from: 'lg',
    cell: (row) => [row.sys_brand, row.sys_model, row.sys_version].filter(Boolean).join(' ') || '—',
  },
  { key: 'time', title: '登录时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
]

export function LoginLogPage() {
  const list = useListState({ range: '', member: '' })
  const range = useLogRange(list)
  const { page, limit, search } = list
  const { member: router_name } = list.filters
  const query = useLogins({ page, limit, search, router_name, ...range.sent })
  const ofMember = useMemberFilter(list, query.data?.data)
  return (
    <LogList
      title="登录记录"
      searchLabel="搜索成员、备注或IP"
      hint="软件成员在客户端登录后，成功和失败的记录都会显示在这里。"
      columns={COLUMNS}
      rowName={(row) => row.router_name}
      exported={{ type: 'software_login', router_name }}
      {...{ list, range, query, ...ofMember }}
    />
  )
}
