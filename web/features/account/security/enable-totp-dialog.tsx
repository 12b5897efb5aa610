import { useState } from 'react'
import * as z from 'zod'
import { passwordCalled } from '#contract/kernel/fields.ts'
import { totpCode } from '#contract/account/totp-fields.ts'
import { useUser } from '#lib/session/session.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { TotpField } from '#ui/form/inputs/totp-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { TotpSetup } from '#ui/totp/totp-setup.tsx'
import { readTotpSetup, useEnableTotp } from '../api.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

const firstCode = z.object({ code: totpCode, password: passwordCalled('登录密码') })

/** Secret, first code and password; then the recovery codes. */
export function EnableTotpDialog({ onClose }: { readonly onClose: () => void }) {
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
