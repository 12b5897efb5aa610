import Button from '@douyinfe/semi-ui/lib/es/button'
import Switch from '@douyinfe/semi-ui/lib/es/switch'
import { useId, useState } from 'react'
import { SENTENCE } from '#contract/kernel/result.ts'
import { useUser } from '#lib/session/session.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type RamTotp, useRamTotp, useRequireTotp, useResetRamTotp, useTotp } from '../api.ts'
import styles from './totp-panel.module.css'

/* Panels of two-step verification (两步验证): the user's own, and the main account's for its sub-accounts. */

const DIALOGS = {
  enable: lazyDialog(() => import('./factor-dialogs.tsx').then((m) => m.EnableTotpDialog)),
  renew: lazyDialog(() => import('./factor-dialogs.tsx').then((m) => m.RenewCodesDialog)),
  disable: lazyDialog(() => import('./factor-dialogs.tsx').then((m) => m.DisableTotpDialog)),
} as const

export function TotpPanel() {
  const { ram } = useUser()
  const { data, error, mutate } = useTotp()
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = open && DIALOGS[open]
  const state = data?.data
  const isKept = ram === 1 && state?.ram_required === 1
  return (
    <Panel
      title="两步验证"
      actions={
        state?.enrolled_time === null && <PrimaryButton onClick={() => setOpen('enable')}>开启两步验证</PrimaryButton>
      }
    >
      {state === undefined && (error ? <FailedPart error={error} onRetry={mutate} /> : <Skeleton lines={2} />)}
      {state !== undefined && (
        <div className={styles.body}>
          <TotpState noun="两步验证" isOn={state.enrolled_time !== null} />
          <p>登录时除密码外，还需输入手机身份验证器上的动态验证码。即使密码泄露，他人也无法登录。</p>
          {state.enrolled_time !== null && (
            <>
              <p>
                开启时间 <TimeText at={state.enrolled_time} />
                ，剩余恢复码 {state.recovery_left} 个
                {state.recovery_left < 3 && <span className={styles.few}>，请及时更换</span>}
              </p>
              <div className="nl-flow">
                <Button onClick={() => setOpen('renew')}>更换恢复码</Button>
                <ActionButton
                  type="danger"
                  blocked={isKept ? SENTENCE.totpMandatory : null}
                  onClick={() => setOpen('disable')}
                >
                  关闭两步验证
                </ActionButton>
              </div>
            </>
          )}
        </div>
      )}
      {Dialog !== null && <Dialog onClose={() => setOpen(null)} />}
    </Panel>
  )
}

const COLUMNS: readonly Column<RamTotp>[] = [
  { key: 'user', title: '子账号', isName: true, cell: ({ username }) => username },
  { key: 'nickname', title: '昵称', cell: ({ nickname }) => nickname },
  { key: 'state', title: '状态', cell: ({ enrolled_time }) => <TotpState isOn={enrolled_time !== null} /> },
  {
    key: 'enrolled',
    title: '开启时间',
    cell: ({ enrolled_time }) => (enrolled_time === null ? '—' : <TimeText at={enrolled_time} />),
  },
]

export function RamTotpPanel() {
  const list = useLocalListState({})
  const query = useRamTotp(list)
  const reset = useResetRamTotp()
  const action = actionColumn((row: RamTotp) =>
    row.enrolled_time === null ? (
      <span className="nl-muted">—</span>
    ) : (
      <RowActions
        subject={row.username}
        actions={[{ label: '重置', onSelect: () => void confirmReset(row, reset.trigger) }]}
      />
    ),
  )
  return (
    <Panel title="子账号的两步验证">
      <RequireSwitch />
      <DataTable
        label="子账号的两步验证"
        query={query}
        columns={[...COLUMNS, action]}
        rowKey={(row) => String(row.ram_id)}
        rowName={(row) => row.username}
        list={list}
        empty={{ title: '暂无子账号' }}
      />
    </Panel>
  )
}

function RequireSwitch() {
  const id = useId()
  const { data } = useTotp()
  const require = useRequireTotp()
  const isRequired = data?.data.ram_required === 1
  const change = (next: boolean) =>
    void confirm({
      title: next ? '要求子账号使用两步验证？' : '不再要求子账号使用两步验证？',
      body: next
        ? '尚未设置的子账号会立即退出登录，下次登录时须先完成设置。'
        : '子账号可以自行关闭两步验证；已开启的不受影响。',
      verb: next ? '要求两步验证' : '不再要求',
      danger: next,
      run: () => require.trigger({ required: next ? 1 : 0 }),
    })
  return (
    <div className={styles.required}>
      <Switch
        id={id}
        checked={isRequired}
        onChange={change}
        disabled={data === undefined}
        aria-labelledby={`${id}-label`}
      />
      <label id={`${id}-label`} htmlFor={id}>
        要求子账号使用两步验证
      </label>
      <span className="nl-muted">尚未设置的子账号，登录时须先完成设置</span>
    </div>
  )
}

const confirmReset = ({ ram_id, username }: RamTotp, reset: ReturnType<typeof useResetRamTotp>['trigger']) =>
  confirm({
    title: `重置“${username}”的两步验证？`,
    body: '用于手机丢失且没有恢复码的子账号：其两步验证与恢复码失效，所有登录立即退出，之后可用密码登录并重新设置。',
    verb: '重置',
    danger: true,
    run: () => reset({ ram_id }),
  })

function TotpState({ isOn, noun = '' }: { readonly isOn: boolean; readonly noun?: string }) {
  const tone = isOn ? 'ok' : 'warn'
  return <StatusWord shape={isOn ? 'tick' : 'ring'} tone={tone} word={`${noun}${isOn ? '已' : '未'}开启`} />
}
