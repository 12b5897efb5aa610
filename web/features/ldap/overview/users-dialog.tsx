import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { LDAP } from '#contract/ldap/limits.ts'
import { VERIFY } from '#domain/ldap/plan.ts'
import { outsideText } from '#domain/ldap/run.ts'
import { countText } from '#lib/format/format-unit.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useLocalListState, useSelection } from '#ui/table/use-list-state.ts'
import {
  type DirectoryUser,
  type SyncStatus,
  useDirectoryUsers,
  useRestartSync,
  type Applied,
  useImport,
  useImportAll,
  useRemove,
  useRemoveAll,
} from '../api.ts'
import { BatchResult, type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar, FilterSwitch } from '#ui/table/filter-bar.tsx'
import { actionColumn, type RowAction, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { PHASE_WORD } from '../ldap-text.ts'

/* Dialog of the directory's users (directory 2): imports or removes one, several or all of them as members. */

const EXIST = [
  { value: '', label: '全部' },
  { value: '1', label: '已导入' },
  { value: '0', label: '未导入' },
] as const
type Exist = (typeof EXIST)[number]['value']

const canImport = ({ exist, disable }: DirectoryUser): boolean => exist === 0 && disable === 0
/** Check result of a user that cannot be imported; null for others. */
const whyNotImportable = ({ verify }: DirectoryUser): string | null => (verify === VERIFY.importable ? null : verify)
const canRemove = ({ exist, disable }: DirectoryUser): boolean => exist === 1 && disable === 1

interface UsersDialogProps {
  readonly run: SyncStatus['run']
  /** False: runs alone change members, and the dialog only shows. */
  readonly isManual: boolean
  readonly onClose: () => void
}

export function UsersDialog({ run, isManual, onClose }: UsersDialogProps) {
  const list = useLocalListState({ exist: '' })
  const query = useDirectoryUsers(list, list.filters.exist as Exist)
  const selection = useSelection('')
  const tasks = useUserTasks(query, selection.clear)
  const { data } = query
  const isRunning = run?.state === 'running'
  const isBlocked = isRunning || data === undefined || data.hash === ''
  return (
    <Dialog
      title="同步用户"
      widthPx={880}
      onClose={onClose}
      footer={isManual ? <AllButtons tasks={tasks} isBlocked={isBlocked} /> : <Button onClick={onClose}>关闭</Button>}
    >
      {isRunning && (
        <RunProgress label="目录同步" phase={PHASE_WORD[run.phase]} done={run.done} total={run.total} unit="个用户" />
      )}
      {tasks.outcome !== null && <Notice role="status">{tasks.outcome}</Notice>}
      {tasks.results.length > 0 && <BatchResult label="未完成或未加入组网的用户" rows={tasks.results} />}
      <Hints isUnread={data?.hash === '' && !isRunning} isManual={isManual} />
      <Tools list={list} listedAt={data?.list_time ?? null} isRunning={isRunning} />
      <DataTable
        label="目录用户"
        query={query}
        columns={isManual ? [...COLUMNS, toActionColumn(tasks)] : COLUMNS}
        rowKey={(row) => row.uuid}
        rowName={(row) => row.username}
        list={list}
        selection={isManual ? toTableSelection(tasks, selection) : undefined}
        empty={{ title: '目录中没有用户' }}
      />
    </Dialog>
  )
}

const Hints = ({ isUnread, isManual }: { readonly isUnread: boolean; readonly isManual: boolean }) => (
  <>
    {isUnread && <Notice role="status">还没有读取到目录用户，请读取目录或检查同步状态。</Notice>}
    {!isManual && <Notice role="status">当前为自动同步，成员随同步新增、更新和停用；这里只能查看。</Notice>}
  </>
)

const toTableSelection = (tasks: TasksProps['tasks'], { keys, onChange }: ReturnType<typeof useSelection>) => ({
  keys,
  onChange: (next: ReadonlySet<string>) => onChange(new Set([...next].slice(0, LDAP.uuidsMax))),
  canSelect: (row: DirectoryUser) => canImport(row) || canRemove(row),
  actions: <ChosenButtons tasks={tasks} chosen={[...keys]} />,
})

interface TasksProps {
  readonly tasks: ReturnType<typeof useUserTasks>
}

const AllButtons = ({ tasks, isBlocked }: TasksProps & { readonly isBlocked: boolean }) => (
  <>
    <Button type="danger" disabled={isBlocked} onClick={() => void tasks.askRemove(null, '全部已禁用或已删除的成员')}>
      全部移除
    </Button>
    <Button theme="solid" disabled={isBlocked} onClick={() => void tasks.askImport(null, '全部可导入的用户')}>
      全部导入
    </Button>
  </>
)

function ChosenButtons({ tasks, chosen }: TasksProps & { readonly chosen: readonly string[] }) {
  const count = countText(chosen.length)
  return (
    <>
      <Button onClick={() => void tasks.askRemove(chosen, `所选的 ${count} 个成员`)}>移除</Button>
      <Button theme="solid" onClick={() => void tasks.askImport(chosen, `所选的 ${count} 个用户`)}>
        导入
      </Button>
    </>
  )
}

const toActionColumn = ({ askImport, askRemove }: TasksProps['tasks']): Column<DirectoryUser> =>
  actionColumn((row) => {
    const one = [[row.uuid], `“${row.username}”`] as const
    const actions: readonly RowAction[] = [
      ...(canImport(row)
        ? [{ label: '导入', blocked: whyNotImportable(row), onSelect: () => void askImport(...one) }]
        : []),
      ...(canRemove(row) ? [{ label: '删除', danger: true, onSelect: () => void askRemove(...one) }] : []),
    ]
    return <RowActions subject={row.username} actions={actions} />
  })

interface ToolsProps {
  readonly list: ReturnType<typeof useLocalListState<'exist'>>
  readonly listedAt: number | null
  readonly isRunning: boolean
}

function Tools({ list, listedAt, isRunning }: ToolsProps) {
  const restart = useRestartSync()
  return (
    <FilterBar
      list={list}
      searchLabel="搜索成员名称或备注"
      actions={
        <Button disabled={isRunning} loading={restart.isMutating} onClick={() => void restart.trigger({})}>
          读取目录
        </Button>
      }
    >
      <FilterSwitch list={list} name="exist" label="是否导入" options={EXIST} />
      {listedAt !== null && (
        <small className="nl-muted">
          读取于 <TimeText at={listedAt} mode="relative" />
        </small>
      )}
    </FilterBar>
  )
}

const COLUMNS: readonly Column<DirectoryUser>[] = [
  { key: 'username', title: '成员名称', isName: true, cell: ({ username }) => username },
  { key: 'description', title: '备注', cell: ({ description }) => description || '—' },
  { key: 'verify', title: '检查结果', cell: ({ verify }) => verify },
]

/** Users of a task, by UUID; null: all of them. */
type Uuids = readonly string[] | null

/**
 * Imports and removes users of one listing, after a confirmation. `outcome` has the counts, `results` the users that
 * failed.
 */
function useUserTasks(query: ReturnType<typeof useDirectoryUsers>, onDone: () => void) {
  const [results, setResults] = useState<readonly BatchRow[]>([])
  const [outcome, setOutcome] = useState<string | null>(null)
  const [add, addAll, remove, removeAll] = [useImport(), useImportAll(), useRemove(), useRemoveAll()]
  const hash = query.data?.hash ?? ''

  /** Reads a listing again that has changed meanwhile, so that the next try uses the newest. */
  const perform = async (work: () => Promise<{ readonly data: Applied }>, describe: (applied: Applied) => string) => {
    try {
      const { data } = await work()
      const names = new Map(query.data?.data.map(({ uuid, username }) => [uuid, username]))
      const noted = data.result.filter(({ msg }) => msg !== '')
      setResults(noted.map(({ uuid, ok, msg }) => toBatchRow(names.get(uuid) ?? uuid, ok, msg)))
      setOutcome(describe(data))
      onDone()
    } catch (error) {
      void query.mutate()
      throw error
    }
  }
  const askImport = (uuids: Uuids, what: string) =>
    confirm({
      title: `导入${what}？`,
      body: '导入后成为软件成员，用目录密码登录客户端；关联了组网时随即加入，不能加入的会列出原因。',
      verb: '导入',
      run: () =>
        perform(
          () => (uuids === null ? addAll.trigger({ hash }) : add.trigger({ hash, uuid: [...uuids] })),
          toImported(uuids === null),
        ),
    })
  const askRemove = (uuids: Uuids, what: string) =>
    confirm({
      title: `移除${what}？`,
      body: '是否确定删除? 成员会被删除，他们的登录和连接立即结束；只移除目录中已禁用或已删除的成员，24小时内可在同步记录中撤销。',
      verb: '移除',
      danger: true,
      run: () =>
        perform(
          () => (uuids === null ? removeAll.trigger({ hash }) : remove.trigger({ hash, uuid: [...uuids] })),
          toRemoved,
        ),
    })
  return { results, outcome, askImport, askRemove }
}

const toImported =
  (isAll: boolean) =>
  ({ added, conflicts, outside, reason }: Applied): string =>
    [
      `已导入 ${countText(added)} 个用户`,
      ...(isAll && conflicts > 0 ? [`${countText(conflicts)} 个不能导入，原因见检查结果`] : []),
      ...outsideText({ outside, reason }),
    ].join('，')

const toRemoved = ({ removable }: Applied): string => `已移除 ${countText(removable)} 个成员`
