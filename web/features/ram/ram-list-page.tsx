import IconHistory from '@douyinfe/semi-icons/lib/es/icons/IconHistory'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Link } from 'react-router'
import { toMessage } from '#contract/kernel/errors.ts'
import { quotaLevel } from '#domain/health/quota.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { StatTile, StatTiles } from '#ui/chart/bars/stat-tile.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import {
  type RamRow,
  useDeleteRam,
  useDisableRam,
  useEnableRam,
  useEndRamSessions,
  useRamDomain,
  useRamQuota,
  useRams,
} from './api.ts'

/* Page of the sub-accounts of the account (directory 2). */

const CreateRamDialog = lazyDialog(() => import('./ram-dialogs.tsx').then((m) => m.CreateRamDialog))
const EditRamDialog = lazyDialog(() => import('./ram-dialogs.tsx').then((m) => m.EditRamDialog))
const RamLogDialog = lazyDialog(() => import('./ram-log-dialog.tsx').then((m) => m.RamLogDialog))

export function RamListPage() {
  const list = useListState({})
  const query = useRams(list)
  const suffix = useSuffix()
  const toRowActions = useRowActions(suffix)
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<{ readonly dialog: 'edit' | 'log'; readonly ram: RamRow } | null>(null)
  const close = () => setOpened(null)
  const add = (
    <ActionButton theme="solid" blocked={useQuotaBlocked()} onClick={() => setAdding(true)}>
      添加子账号
    </ActionButton>
  )
  return (
    <ListPage
      title="子账号"
      actions={add}
      above={<UsageCard />}
      searchLabel="搜索账号、昵称或角色"
      columns={ramColumns(suffix, (ram) => setOpened({ dialog: 'log', ram }))}
      rowKey={(row) => String(row.id)}
      rowName={(row) => row.username}
      toRowActions={(row) => [
        { label: '编辑', onSelect: () => setOpened({ dialog: 'edit', ram: row }) },
        ...toRowActions(row),
      ]}
      empty={{ hint: '子账号供同事登录控制台，能做什么由角色决定。', action: add }}
      {...{ list, query }}
    >
      {isAdding && <CreateRamDialog suffix={suffix} onClose={() => setAdding(false)} />}
      {opened?.dialog === 'edit' && <EditRamDialog ram={opened.ram} suffix={suffix} onClose={close} />}
      {opened?.dialog === 'log' && <RamLogDialog ram={opened.ram} onClose={close} />}
    </ListPage>
  )
}

/** Suffix of the sub-accounts as `@suffix`, '' until it is read. */
function useSuffix(): string {
  const { data } = useRamDomain()
  return data === undefined ? '' : `@${data.data.domain}`
}

/** The server's own sentence once the quota is exhausted; else null. */
function useQuotaBlocked(): string | null {
  const { data } = useRamQuota()
  if (data === undefined || data.data.count < data.data.max) return null
  return toMessage({ key: 'RAM_LIMIT_REACHED', params: { limit: data.data.max } })
}

function useRowActions(suffix: string): (row: RamRow) => readonly RowAction[] {
  const enable = useEnableRam()
  const disable = useDisableRam()
  const endSessions = useEndRamSessions()
  const remove = useDeleteRam()
  return (row) => {
    const { id } = row
    const name = `${row.username}${suffix}`
    const status: RowAction =
      row.status === 0
        ? {
            label: '启用',
            onSelect: () =>
              void enable.trigger({ id }).then(
                () => toast.done(`已启用子账号“${name}”`),
                () => null,
              ),
          }
        : { label: '停用', onSelect: () => void confirmDisable(name, () => disable.trigger({ id })) }
    return [
      status,
      {
        label: '强制下线',
        blocked: row.session_count === 0 ? NOT_SIGNED_IN : null,
        onSelect: () => void confirmEnd(name, () => endSessions.trigger({ id })),
      },
      { label: '删除', danger: true, onSelect: () => void confirmDelete(name, () => remove.trigger({ id })) },
    ]
  }
}

const NOT_SIGNED_IN = '该子账号没有登录'

async function confirmDisable(name: string, run: () => Promise<unknown>): Promise<void> {
  const isDone = await confirm({
    title: `停用子账号“${name}”？`,
    body: '是否确定停用? 它的登录立即全部退出，启用之前不能再登录。角色和记录会保留。',
    verb: '停用子账号',
    danger: true,
    run,
  })
  if (isDone) toast.done(`已停用子账号“${name}”`)
}

async function confirmEnd(name: string, run: () => Promise<unknown>): Promise<void> {
  const isDone = await confirm({
    title: `强制子账号“${name}”下线？`,
    body: '是否确定强制下线? 它的登录立即全部退出，之后可以用密码重新登录。',
    verb: '强制下线',
    danger: true,
    run,
  })
  if (isDone) toast.done(`子账号“${name}”已下线`)
}

const confirmDelete = (name: string, run: () => Promise<unknown>) =>
  confirm({
    title: `删除子账号“${name}”？`,
    body: '是否确定删除? 它的登录立即全部退出，不能恢复。它提交的工单和操作记录会保留。',
    verb: '删除子账号',
    danger: true,
    run,
  })

function UsageCard() {
  const { data, error, mutate } = useRamQuota()
  const quota = data?.data
  useReportedFailure(quota === undefined ? error : undefined, mutate)
  return (
    <StatTiles isLoading={quota === undefined && error === undefined}>
      <StatTile label="子账号" {...(quota === undefined ? { value: '—', share: 0 } : toTile(quota))} />
    </StatTiles>
  )
}

function toTile({ count, max }: { readonly count: number; readonly max: number }) {
  const level = quotaLevel({ used: count, total: max })
  const left = max - count
  const note =
    left > 0 ? (
      `还可添加 ${countText(left)} 个`
    ) : (
      <>
        {left < 0 ? `超出 ${countText(-left)} 个，已有的可继续使用` : max === 0 ? '尚未开通' : '已用完'}{' '}
        <Link to={paths.requestService('ram')}>提交工单</Link>
      </>
    )
  return {
    value: `${countText(count)} / ${countText(max)}`,
    share: count === 0 ? 0 : count / Math.max(1, max),
    note,
    ...(level !== 'ok' && max > 0 && { tone: level }),
  }
}

const ramColumns = (suffix: string, onLog: (ram: RamRow) => void): readonly Column<RamRow>[] => [
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

function RamState({ ram: { status, session_count: count } }: { readonly ram: RamRow }) {
  const [shape, tone, word] =
    status === 0
      ? (['dash', 'idle', '已停用'] as const)
      : count > 0
        ? (['disc', 'ok', `已登录${count > 1 ? ` ${count} 处` : ''}`] as const)
        : (['ring', 'idle', '未登录'] as const)
  return <StatusWord shape={shape} tone={tone} word={word} />
}
