import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { DIRECTORY_OFF, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { PrimaryLink } from '#ui/layout/buttons/primary-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FailureStrip, FailedPart } from '#ui/state/failure-strip.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { type LdapConfig, useCloseLdap, useLdapConfig, useRuns, useSyncStatus } from '../api.ts'
import { MODE_WORD, syncModeWord } from '../ldap-text.ts'
import { RunsPanel, SyncPanel } from './sync-panel.tsx'

/* Page of the LDAP directory: its connection, the state of its members, and its actions (directory 2). */

const UsersDialog = lazyDialog(() => import('./users-dialog.tsx').then((m) => m.UsersDialog))
const PlanDialog = lazyDialog(() => import('./plan-dialog.tsx').then((m) => m.PlanDialog))
const SyncModeDialog = lazyDialog(() => import('./sync-mode-dialog.tsx').then((m) => m.SyncModeDialog))

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

/** Runs stay listed after a closing, which can be undone among them. */
function NotConnected() {
  const { count = 0 } = useRuns({ page: 1, limit: PAGE_SIZE }).data ?? {}
  return (
    <>
      <PageHeader title="LDAP接入" facts="未启用" />
      <Panel>
        <NothingYet
          title={DIRECTORY_OFF}
          hint="连接企业的AD或LDAP目录后，可把目录中的用户导入为软件成员，他们用目录密码登录客户端；离职停用的用户随同步停用。"
          action={<PrimaryLink to={paths.editLdap('create')}>启用LDAP接入</PrimaryLink>}
        />
      </Panel>
      {count > 0 && <RunsPanel />}
    </>
  )
}

function Connected({ config, notices }: { config: LdapConfig; notices: readonly string[] }) {
  const [address, setAddress] = useSearchParams()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'plan' | 'mode' | null>(null)
  const status = useSyncStatus()
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
        <UsersDialog
          run={status.data?.data.run ?? null}
          isManual={isManual}
          onClose={() => setAddress({}, { replace: true })}
        />
      )}
    </>
  )
}

/** Saved configuration, read-only (section directory 2); the bind password is never sent to the browser. */
function ConfigPanel({ config, notices }: { config: LdapConfig; notices: readonly string[] }) {
  return (
    <Panel title="接入配置">
      {notices.map((sentence) => (
        <Notice key={sentence} role="alert" tone="warn">
          {sentence}
        </Notice>
      ))}
      <Facts facts={toFacts(config)} />
    </Panel>
  )
}

const ENCRYPTED = (config: LdapConfig): string =>
  config.use_ssl === 1 ? 'SSL（LDAPS）' : config.use_tls === 1 ? 'StartTLS' : '未启用'

function toFacts(config: LdapConfig): readonly Fact[] {
  const isEncrypted = config.use_ssl === 1 || config.use_tls === 1
  const optional = (label: string, value: string): readonly Fact[] => (value === '' ? [] : [{ label, value }])
  return [
    { label: '模式', value: MODE_WORD[config.mode] },
    ...(config.mode === 'private'
      ? [{ label: '硬件设备', value: memberLabel({ router_name: config.router_name, note: config.router_note }) }]
      : []),
    { label: '域名', value: config.domain },
    { label: '地址', value: config.host },
    { label: '端口', value: config.port },
    { label: 'Base DN', value: config.base_dn },
    { label: '加密', value: ENCRYPTED(config) },
    ...(isEncrypted ? [{ label: 'CA证书', value: config.public_ca === 1 ? '公共CA' : config.file_name }] : []),
    ...optional('证书名称', config.certificate_name),
    { label: '用户名', value: config.username },
    { label: '密码', value: '******' },
    ...optional('用户过滤条件', config.user_filter),
    ...optional('用户名属性', config.username_attribute),
    ...optional('手机号属性', config.phone_attribute),
    { label: '关联组网', value: config.network_name || '未关联' },
    { label: '同步方式', value: syncModeWord(config.sync_mode) },
  ]
}
