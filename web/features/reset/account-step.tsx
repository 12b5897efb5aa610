import type { z } from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useCaptcha } from '#ui/form/use-captcha.ts'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { findPassword } from './api.ts'

/** The recovery that was opened, with the ways to prove who one is, and the name it was opened for. */
export type Found = Output<typeof verifyApi.findPassword> & { readonly username: string }

const account = verifyApi.findPassword.input.omit({ uniqid: true, nonce: true })

export function AccountStep({ onDone }: { readonly onDone: (found: Found) => void }) {
  const form = useContractForm(account, { username: '', img_code: '' })
  const captcha = useCaptcha('find_password', form, 'img_code')
  const submit = async (values: z.output<typeof account>) => {
    try {
      const { data } = await captcha.withProof((proof) => findPassword({ ...values, ...proof }))
      onDone({ ...data, username: values.username })
    } catch (error) {
      captcha.renew()
      throw error
    }
  }
  return (
    <Form form={form} onSubmit={submit}>
      <TextField
        control={form.control}
        name="username"
        label="用户名"
        placeholder="用户名/手机号/邮箱"
        autoComplete="username"
        isCode
        maxLength={EMAIL_MAX}
      />
      <CaptchaField control={form.control} name="img_code" label="验证码" captcha={captcha} />
      <FormActions submitText="下一步" busy={form.busy} block />
    </Form>
  )
}
