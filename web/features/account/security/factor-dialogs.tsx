import { type ReactNode, useState } from 'react'
import * as z from 'zod'
import { totpCode } from '#contract/account/totp-fields.ts'
import { passwordCalled } from '#contract/kernel/fields.ts'
import { useUser } from '#lib/session/session.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { PanelContent } from '#ui/dialog/panel-content.tsx'
import { FactorField, FactorSwitch, TotpField } from '#ui/form/inputs/factor-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { type TypedFactor, useFactorForm } from '#ui/form/use-factor-form.ts'
import { RecoveryCodes, TotpSetup } from '#ui/totp/totp-setup.tsx'
import { readTotpSetup, useDisableTotp, useEnableTotp, useRenewRecoveryCodes } from '../api.ts'

/* Dialogs that enable or disable the second factor (TOTP), or renew its recovery codes. */

interface DialogProps {
  readonly onClose: () => void
}

const firstCode = z.object({ code: totpCode, password: passwordCalled('登录密码') })

export function EnableTotpDialog({ onClose }: DialogProps) {
  const { username } = useUser() // for password managers
  const form = useContractForm(firstCode, { code: '', password: '' })
  const enable = useEnableTotp()
  const [setup, setSetup] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodesDialog title="两步验证已开启" codes={codes} onClose={onClose} />

  const turnOn = async (typed: z.output<typeof firstCode>) => {
    setCodes((await enable.trigger({ setup, ...typed })).data.recovery_codes)
    return false
  }
  const load = async () => {
    const { data } = await readTotpSetup()
    setSetup(data.setup)
    return data
  }
  return (
    <FormDialog title="开启两步验证" form={form} command={turnOn} onClose={onClose} submitText="开启">
      <TotpSetup load={load}>
        {() => (
          <>
            <TotpField control={form.control} name="code" required />
            <input type="text" autoComplete="username" value={username} readOnly hidden />
            <PasswordField
              control={form.control}
              name="password"
              label="登录密码"
              required
              help="确认是本人操作。开启后其他登录将全部退出"
              autoComplete="current-password"
            />
          </>
        )}
      </TotpSetup>
    </FormDialog>
  )
}

export function DisableTotpDialog({ onClose }: DialogProps) {
  const disable = useDisableTotp()
  return (
    <FactorDialog title="关闭两步验证" submitText="关闭两步验证" danger send={disable.trigger} onClose={onClose}>
      关闭后，登录时不再需要动态验证码，现有的恢复码全部失效。
    </FactorDialog>
  )
}

export function RenewCodesDialog({ onClose }: DialogProps) {
  const renew = useRenewRecoveryCodes()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const send = async (typed: TypedFactor) => {
    setCodes((await renew.trigger(typed)).data.recovery_codes)
    return false
  }
  if (codes !== null) return <RecoveryCodesDialog title="恢复码已更换" codes={codes} onClose={onClose} />
  return (
    <FactorDialog title="更换恢复码" submitText="更换" send={send} onClose={onClose}>
      更换后，现有的恢复码全部失效。
    </FactorDialog>
  )
}

interface FactorDialogProps extends DialogProps {
  readonly title: string
  readonly submitText: string
  readonly danger?: boolean
  readonly send: (typed: TypedFactor) => Promise<unknown>
  readonly children: ReactNode
}

function FactorDialog({ title, submitText, danger = false, send, onClose, children }: FactorDialogProps) {
  const { form, isRecovery, toggle, toFactor } = useFactorForm()
  return (
    <FormDialog
      title={title}
      form={form}
      command={(typed) => send(toFactor(typed))}
      {...{ submitText, danger, onClose }}
    >
      <p>{children}</p>
      <FactorField control={form.control} isRecovery={isRecovery} required />
      <p>
        <FactorSwitch isRecovery={isRecovery} onSwitch={toggle} />
      </p>
    </FormDialog>
  )
}

/** Dialog of recovery codes, which are shown once: a click outside does not close it. */
function RecoveryCodesDialog({ title, codes, onClose }: DialogProps & { title: string; codes: readonly string[] }) {
  const { username } = useUser()
  return (
    <Overlay kind="dialog" title={title} widthPx={480} onClose={onClose}>
      <PanelContent footer={<PrimaryButton onClick={onClose}>已保存</PrimaryButton>}>
        <RecoveryCodes codes={codes} username={username} />
      </PanelContent>
    </Overlay>
  )
}
