import IconHistory from '@douyinfe/semi-icons/lib/es/icons/IconHistory'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusWord } from '#ui/state/icon.tsx'
import type { Column } from '#ui/table/table-column.ts'
import type { RamRow } from './api.ts'

interface ColumnsOptions {
  /** Behind the account, `@suffix`; '' until it is known. */
  readonly suffix: string
  readonly onLog: (ram: RamRow) => void
}

export const ramColumns = ({ suffix, onLog }: ColumnsOptions): readonly Column<RamRow>[] => [
  {
    key: 'username',
    title: '账号',
    isName: true,
    cell: (row) => (
      <>
        {`${row.username}${suffix}`}
        <Button
          theme="borderless"
          size="small"
          icon={<IconHistory />}
          aria-label={`${row.username} 的操作日志`}
          title="操作日志"
          onClick={() => onLog(row)}
        />
      </>
    ),
  },
  { key: 'nickname', title: '昵称', cell: (row) => row.nickname },
  { key: 'role', title: '角色', cell: (row) => row.role_name },
  { key: 'status', title: '状态', cell: (row) => <RamState ram={row} /> },
  { key: 'create', title: '创建时间', from: 'lg', cell: (row) => <TimeText at={row.create_time} /> },
  { key: 'login', title: '登录时间', from: 'md', cell: (row) => <TimeText at={row.login_time} never="从未登录" /> },
]

/** Disabled, or how many sign-ins are open, by shape, word and colour. */
function RamState({ ram: { status, session_count: count } }: { readonly ram: RamRow }) {
  const [shape, tone, word] =
    status === 0
      ? (['dash', 'idle', '已停用'] as const)
      : count > 0
        ? (['disc', 'ok', `已登录${count > 1 ? ` ${count} 处` : ''}`] as const)
        : (['ring', 'idle', '未登录'] as const)
  return <StatusWord shape={shape} tone={tone} word={word} />
}
