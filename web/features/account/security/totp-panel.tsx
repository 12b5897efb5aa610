import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { SENTENCE } from '#contract/kernel/result.ts'
import { useUser } from '#lib/session/session.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { useTotp } from '../api.ts'
import styles from './totp-panel.module.css'
import { TotpState } from './totp-state.tsx'

const DIALOGS = {
  enable: lazyDialog(() => import('./enable-totp-dialog.tsx').then((m) => ({ default: m.EnableTotpDialog }))),
  renew: lazyDialog(() => import('./factor-dialogs.tsx').then((m) => ({ default: m.RenewCodesDialog }))),
  disable: lazyDialog(() => import('./factor-dialogs.tsx').then((m) => ({ default: m.DisableTotpDialog }))),
} as const

/** The own second factor: set up, recovery codes, switched off. */
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
        state?.enrolled_time === null && (
          <Button theme="solid" type="primary" onClick={() => setOpen('enable')}>
            开启两步验证
          </Button>
        )
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
              <div className={styles.actions}>
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
