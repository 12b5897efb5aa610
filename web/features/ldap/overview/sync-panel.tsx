import Button from '@douyinfe/semi-ui/lib/es/button'
import { LDAP_SYNC } from '#contract/ldap/limits.ts'
import { failedText } from '#domain/ldap/messages.ts'
import { countText } from '#lib/format/format-unit.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { Icon } from '#ui/state/icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { RunProgress } from '#ui/state/run-progress.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { type SyncStatus, useConfirmRun, useRemoveDisabled, useRestartSync, type useSyncStatus } from '../api.ts'
import { PHASE_WORD, type ServiceState, serviceState, stopWord, syncModeWord } from '../ldap-text.ts'

interface SyncPanelProps {
  readonly query: ReturnType<typeof useSyncStatus>
  readonly syncMode: number
  readonly onPlan: () => void
}

/** State of the directory and its members: service, run under way, run that asks (directory 2, 4). */
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
        <span className="nl-action-row">
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
    { label: '自动同步', value: <ServiceBadge state={serviceState(syncMode, status)} /> },
    { label: '更新时间', value: <TimeText at={service.update_time} never="还没有读取过" /> },
  ]
  if (syncMode !== LDAP_SYNC.automatic) return facts
  return [
    ...facts,
    { label: '同步周期', value: `${service.cycle} 分钟` },
    { label: '执行时间', value: `${service.operation_hours} 秒` },
  ]
}

const SHAPE = { ok: 'disc', warn: 'half', bad: 'cross', idle: 'dash' } as const

const ServiceBadge = ({ state: { word, tone } }: { readonly state: ServiceState }) => (
  <span className="nl-status">
    <Icon shape={SHAPE[tone]} tone={tone} />
    {word}
  </span>
)

interface AskingProps {
  readonly run: NonNullable<SyncStatus['run']>
  readonly onPlan: () => void
}

/** A run that would disable many waits until somebody has looked. */
function Asking({ run: { stop, hash, counts }, onPlan }: AskingProps) {
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
        <span className="nl-action-row">
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
