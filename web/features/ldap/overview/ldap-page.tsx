import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { DIRECTORY_OFF, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { paths } from '#lib/paths.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { NothingYet } from '#ui/state/states.tsx'
import { type LdapConfig, useCloseLdap, useLdapConfig, useSyncStatus } from '../api.ts'
import { ConfigPanel } from './config-panel.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { SyncPanel } from './sync-panel.tsx'

const UsersDialog = lazyDialog(() => import('./users-dialog.tsx').then((m) => ({ default: m.UsersDialog })))
const PlanDialog = lazyDialog(() => import('./plan-dialog.tsx').then((m) => ({ default: m.PlanDialog })))
const SyncModeDialog = lazyDialog(() => import('./sync-mode-dialog.tsx').then((m) => ({ default: m.SyncModeDialog })))

/** Page of the directory: whether one is connected, the state of its members, and what can be done (directory 2). */
export function LdapPage() {
  const query = useLdapConfig()
  const config = query.data?.data
  if (config === undefined) {
    return (
      <>
        <PageHeader title="LDAP接入" />
        <Panel>
          {query.error === undefined ? <Skeleton /> : <FailedPart error={query.error} onRetry={query.mutate} />}
        </Panel>
      </>
    )
  }
  if (config === null) return <NotConnected />
  return <Connected config={config} notices={query.data?.notice ?? []} />
}

function NotConnected() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="LDAP接入" facts="未启用" />
      <Panel>
        <NothingYet
          title={DIRECTORY_OFF}
          hint="连接企业的AD或LDAP目录后，可把目录中的用户导入为软件成员，他们用目录密码登录客户端；离职停用的用户随同步停用。"
          action={
            <Button theme="solid" onClick={() => void navigate(paths.editLdap('create'))}>
              启用LDAP接入
            </Button>
          }
        />
      </Panel>
    </>
  )
}

interface ConnectedProps {
  readonly config: LdapConfig
  readonly notices: readonly string[]
}

function Connected({ config, notices }: ConnectedProps) {
  const [address, setAddress] = useSearchParams()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'plan' | 'mode' | null>(null)
  const status = useSyncStatus(true)
  const closeLdap = useCloseLdap()
  const count = status.data?.data.count
  const isManual = config.sync_mode === LDAP_SYNC.manual
  const close = () => setOpened(null)
  const askClose = () =>
    confirm({
      title: '关闭LDAP接入？',
      body: `是否关闭LDAP接入功能？ 由目录导入的 ${count ?? 0} 个软件成员会被移除，他们的登录和连接立即结束。24小时内可在同步记录中撤销。`,
      verb: '关闭接入',
      danger: true,
      ...(count !== undefined && count > 0 && { typed: String(count) }),
      run: () => closeLdap.trigger({ confirm: count ?? 0 }),
    })
  return (
    <>
      <FailureStrip>
        <PageHeader
          title="LDAP接入"
          facts="已启用"
          actions={
            <PageActions
              subject="LDAP接入"
              main={isManual ? [{ label: '同步用户', onSelect: () => setAddress({ users: '1' }) }] : []}
              beside={[{ label: '编辑配置', onSelect: () => void navigate(paths.editLdap('edit')) }]}
              more={[
                { label: '设置同步方式', onSelect: () => setOpened('mode') },
                {
                  label: '关闭LDAP接入',
                  danger: true,
                  blocked: count === undefined ? '正在读取成员数量' : null,
                  onSelect: () => void askClose(),
                },
              ]}
            />
          }
        />
        <SyncPanel query={status} syncMode={config.sync_mode} onPlan={() => setOpened('plan')} />
        <ConfigPanel config={config} notices={notices} />
        <RunsPanel />
      </FailureStrip>
      {opened === 'plan' && <PlanDialog run={status.data?.data.run ?? null} onClose={close} />}
      {opened === 'mode' && <SyncModeDialog syncMode={config.sync_mode} onClose={close} />}
      {address.get('users') === '1' && (
        <UsersDialog run={status.data?.data.run ?? null} onClose={() => setAddress({}, { replace: true })} />
      )}
    </>
  )
}
