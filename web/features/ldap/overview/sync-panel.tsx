import Button from '@douyinfe/semi-ui/lib/es/button'
import { LDAP_SYNC } from '#contract/ldap/limits.ts'
import { failedText, countsText, WRITTEN } from '#domain/ldap/messages.ts'
import { outsideText } from '#domain/ldap/run.ts'
import { countText } from '#lib/format/format-unit.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { Icon, StatusWord } from '#ui/state/state-icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import {
  type RunRow,
  type SyncStatus,
  useConfirmRun,
  useRemoveDisabled,
  useRestartSync,
  useRuns,
  type useSyncStatus,
  useUndo,
} from '../api.ts'
import { PHASE_WORD, runWord, type ServiceState, serviceState, stopWord, syncModeWord } from '../ldap-text.ts'

/* Panels of the directory sync: service, present run, run that asks, and past runs (directory 2, 4). */

interface SyncPanelProps {
  readonly query: ReturnType<typeof useSyncStatus>
  readonly syncMode: number
  readonly onPlan: () => void
}

export function SyncPanel({ query, syncMode, onPlan }: SyncPanelProps) {
  const restart = useRestartSync()
  const removeDisabled = useRemoveDisabled()
  const { data, error, mutate } = query
  const status = data?.data
  if (status === undefined)
    return (
      <Panel title="同步状态">
        {error === undefined ? <Skeleton /> : <FailedPart error={error} onRetry={mutate} />}
      </Panel>
    )
  const isRunning = status.run?.state === 'running'
  const askRemove = () =>
    confirm({
      title: '移除目录中已禁用的成员？',
      body: '是否一键移除禁用成员? 由目录导入、目录中已禁用的成员会被删除，24小时内可在同步记录中撤销。',
      verb: '移除',
      danger: true,
      run: () => removeDisabled.trigger({}),
    })
  return (
    <Panel
      title="同步状态"
      actions={
        <span className="nl-flow">
          <Button onClick={() => void askRemove()} disabled={isRunning}>
            移除禁用成员
          </Button>
          <Button onClick={onPlan}>查看同步计划</Button>
          <Button loading={restart.isMutating} disabled={isRunning} onClick={() => void restart.trigger({})}>
            {syncMode === LDAP_SYNC.automatic ? '立即同步' : '读取目录'}
          </Button>
        </span>
      }
    >
      {status.run?.state === 'asking' && <Asking run={status.run} onPlan={onPlan} />}
      {status.service.message !== '' && (
        <Notice role="alert" tone="bad">
          {status.service.message}。{failedText(status.service.written)}。
        </Notice>
      )}
      {status.run !== null && isRunning && (
        <RunProgress
          label="目录同步"
          phase={PHASE_WORD[status.run.phase]}
          done={status.run.done}
          total={status.run.total}
          unit={status.run.phase === 'writing' ? '个成员' : '个用户'}
        />
      )}
      <Facts facts={toFacts(status, syncMode)} />
    </Panel>
  )
}

function toFacts(status: SyncStatus, syncMode: number): readonly Fact[] {
  const { count, service } = status
  const facts: readonly Fact[] = [
    { label: '由目录导入的成员', value: `${countText(count)} 个` },
    { label: '同步方式', value: syncModeWord(syncMode) },
    { label: '上次读取', value: <LastRead status={status} /> },
  ]
  if (syncMode !== LDAP_SYNC.automatic) return facts
  return [
    ...facts,
    { label: '自动同步', value: <ServiceBadge state={serviceState(status)} /> },
    { label: '同步周期', value: `${service.cycle} 分钟` },
    { label: '执行时间', value: `${service.operation_hours} 秒` },
  ]
}

/** Result, end and actor of the newest ended run; a run that works is shown above. */
function LastRead({ status: { run, service } }: { readonly status: SyncStatus }) {
  const { update_time: at, actor, status } = service
  if (at === null) return <span className="nl-muted">还没有读取过</span>
  return (
    <span className="nl-flow">
      {run?.state !== 'running' && (
        <StatusWord {...SHOWN[status === 1 ? 'done' : 'failed']} word={status === 1 ? '成功' : '失败'} />
      )}
      <TimeText at={at} />
      {actor !== '' && <span className="nl-muted">{actor}</span>}
    </span>
  )
}

const SHAPE = { ok: 'disc', warn: 'half', bad: 'cross' } as const

const ServiceBadge = ({ state: { word, tone } }: { readonly state: ServiceState }) => (
  <span className="nl-status">
    <Icon shape={SHAPE[tone]} tone={tone} />
    {word}
  </span>
)

/** A run that would disable many members waits for a confirmation. */
function Asking({ run: { stop, hash, counts }, onPlan }: { run: NonNullable<SyncStatus['run']>; onPlan: () => void }) {
  const confirmRun = useConfirmRun()
  const ask = () =>
    confirm({
      title: `停用 ${counts.disabled} 个成员并继续同步？`,
      body: '这些成员在目录中已禁用或不存在。停用后他们的登录和连接立即结束；不会删除，目录恢复后会重新启用。',
      verb: `停用 ${counts.disabled} 个成员`,
      danger: true,
      run: () => confirmRun.trigger({ hash }),
    })
  return (
    <Notice
      role="alert"
      tone="warn"
      actions={
        <span className="nl-flow">
          <Button onClick={onPlan}>查看名单</Button>
          <Button type="danger" onClick={() => void ask()}>
            确认停用
          </Button>
        </span>
      }
    >
      {stopWord(stop)}，同步已暂停：将停用 {countText(counts.disabled)} 个成员。请核对名单，或检查目录服务器。
    </Notice>
  )
}

/** Past runs and manual changes of members; each written one can be undone for a day. */
export function RunsPanel() {
  const list = useLocalListState({})
  const query = useRuns(list)
  const undo = useUndo()
  const ask = (row: RunRow) =>
    confirm({
      title: `撤销“${runWord(row.kind)}”？`,
      body: '成员、备注、手机号、组网和地址恢复到操作之前；之后同步方式改为手动同步，以免下次同步又作同样的改动。',
      verb: '撤销',
      danger: true,
      run: () => undo.trigger({ id: row.id }),
    })
  const actions = actionColumn((row: RunRow) =>
    row.can_undo === 1 ? (
      <RowActions subject={runWord(row.kind)} actions={[{ label: '撤销', onSelect: () => void ask(row) }]} />
    ) : (
      <span className="nl-muted">—</span>
    ),
  )
  return (
    <Panel title="同步记录">
      <DataTable
        label="同步记录"
        query={query}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.id}
        rowName={(row) => runWord(row.kind)}
        list={list}
        empty={{ title: '还没有同步记录' }}
      />
    </Panel>
  )
}

const SHOWN = {
  done: { shape: 'tick', tone: 'ok' },
  failed: { shape: 'cross', tone: 'bad' },
  asking: { shape: 'half', tone: 'warn' },
} as const

const resultText = ({ kind, state, message, counts, left, left_reason, ...row }: RunRow): string => {
  if (state === 'asking') return `将停用 ${counts.disabled}`
  const kept = left > 0 ? [`未恢复 ${left}：${left_reason}`] : []
  const written = countsText(counts, WRITTEN)
  const removed =
    kind === 'remove' || kind === 'close' ? countsText(counts, ['removable']).replace('可移除', '移除') : ''
  const done = [written, removed, ...outsideText(row), ...kept].filter(Boolean).join('，')
  if (state === 'failed') return done === '' ? message : `${message}（已${done}）`
  return done || '没有变化'
}

const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'kind', title: '操作', isName: true, cell: (row) => runWord(row.kind) },
  { key: 'state', title: '结果', cell: ({ state }) => <StatusWord {...SHOWN[state]} word={PHASE_WORD[state]} /> },
  { key: 'counts', title: '说明', cell: resultText },
  { key: 'actor', title: '操作人', cell: ({ actor }) => actor || '自动' },
  { key: 'end', title: '时间', cell: ({ end_time }) => <TimeText at={end_time} /> },
]
