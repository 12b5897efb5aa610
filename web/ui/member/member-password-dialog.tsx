import { useState } from 'react'
import * as z from 'zod'
import { memberPassword } from '#contract/router/fields.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useChangePassword } from './use-member-credentials.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { InviteDialog } from './invite-dialog.tsx'

/* Dialog of a new password of a software member, typed or generated; a generated one is shown once. */

const schema = z.object({ password: memberPassword })

interface MemberPasswordDialogProps {
  readonly info: { readonly router_name: string }
  readonly onClose: () => void
}

export function MemberPasswordDialog({ info: { router_name }, onClose }: MemberPasswordDialogProps) {
  const form = useContractForm(schema, { password: '' })
  const change = useChangePassword()
  const [generated, setGenerated] = useState<string | null>(null)
  const [invited, setInvited] = useState<string | null>(null)

  const generate = (password: string) => {
    setGenerated(password)
    form.setValue('password', password, { shouldDirty: true, shouldValidate: true })
  }
  const save = async ({ password }: z.output<typeof schema>) => {
    await change.trigger({ router_name, password })
    if (password !== generated) return
    setInvited(password)
    return false
  }
  if (invited !== null)
    return <InviteDialog title="密码已修改" routerName={router_name} password={invited} onClose={onClose} />
  return (
    <FormDialog title="修改密码" form={form} command={save} onClose={onClose}>
      <p className="nl-help">{router_name} 的客户端会退出登录，需用新密码重新登录。</p>
      <input type="text" autoComplete="username" value={router_name} readOnly hidden />
      <NewPasswordField control={form.control} label="新密码" onGenerate={generate} />
    </FormDialog>
  )
}
