import { type ReactNode, useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { FactorField, FactorSwitch } from '#ui/form/inputs/factor-field.tsx'
import { type TypedFactor, useFactorForm } from '#ui/form/use-factor-form.ts'
import { useDisableTotp, useRenewRecoveryCodes } from '../api.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

interface DialogProps {
  readonly onClose: () => void
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
  /** Text that says what the action does. */
  readonly children: ReactNode
}

/** Dialog of an action that the second factor itself has to confirm. */
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
