import type { z } from 'zod'
import { DONE } from '#contract/kernel/result.ts'
import { passwordChange } from '#contract/ram/index.ts'
import { navigation } from '#lib/navigation.ts'
import { endSession, useUser } from '#lib/session/session.ts'
import { flashToast } from '#lib/toast/toast.ts'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { changePassword } from './api.ts'
import { publicPaths } from '#lib/public-paths.ts'

/** Dialog for a sub-account to change its own password; the change signs it out (account 2). */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { username } = useUser() // for password managers: names the entry to update
  const form = useContractForm(passwordChange, { old_password: '', password: '', reset_password: '' })
  const change = async (values: z.output<typeof passwordChange>) => {
    const { msg } = await changePassword(values)
    flashToast('done', msg || DONE.changed)
    await endSession()
    navigation.assign(publicPaths.login)
    return false
  }
  return (
    <FormDialog title="修改密码" form={form} command={change} onClose={onClose}>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField control={form.control} name="old_password" label="原密码" autoComplete="current-password" />
      <PasswordField control={form.control} name="password" label="新密码" autoComplete="new-password" />
      <PasswordField control={form.control} name="reset_password" label="重复密码" autoComplete="new-password" />
    </FormDialog>
  )
}
