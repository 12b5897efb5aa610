import * as z from 'zod'
import { DONE } from '#contract/kernel/result.ts'
import { REPEAT_DIFFERS, REPEAT_REQUIRED, password } from '#contract/kernel/fields.ts'
import { toast } from '#lib/toast/toast.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { BackButton } from '#ui/layout/wizard.tsx'
import { resetPassword } from './api.ts'
import type { Found } from './account-step.tsx'
import type { Bound } from './identity-step.tsx'

const passwords = z
  .object({ password, reset_password: z.string().min(1, REPEAT_REQUIRED) })
  .refine((form) => form.password === form.reset_password, { path: ['reset_password'], message: REPEAT_DIFFERS })

interface PasswordStepProps {
  readonly found: Found
  readonly bound: Bound
  readonly onDone: () => void
  readonly onRestart: () => void
}

export function PasswordStep({ found, bound, onDone, onRestart }: PasswordStepProps) {
  const form = useContractForm(passwords, { password: '', reset_password: '' })
  const submit = async (values: z.output<typeof passwords>) => {
    const { msg } = await resetPassword({ ...values, uniqid: found.uniqid })
    toast.done(msg || DONE.changed)
    onDone()
  }
  return (
    <>
      <Form form={form} onSubmit={submit}>
        <input type="text" autoComplete="username" value={found.username} readOnly hidden />
        <PasswordField
          control={form.control}
          name="password"
          label="新密码"
          placeholder="6-18 位"
          help={`身份验证通过：${[bound.phone, bound.email].filter(Boolean).join('、')}`}
          autoComplete="new-password"
        />
        <PasswordField control={form.control} name="reset_password" label="重复密码" autoComplete="new-password" />
        <FormActions submitText="重置密码" busy={form.busy} block />
      </Form>
      {form.failure !== null && <BackButton onClick={onRestart}>从第一步重新开始</BackButton>}
    </>
  )
}
