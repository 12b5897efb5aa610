import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import * as z from 'zod'
import { totpCode } from '#contract/account/totp-fields.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { TotpField } from '#ui/form/inputs/factor-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { TotpSetup, RecoveryCodes } from '#ui/totp/totp-setup.tsx'
import { enrol, readSetup, type StepProps } from './api.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'

/* Form that sets up a second factor during the sign-in, because the main account requires one. */

const firstCode = z.object({ code: totpCode })

type Enrolled = Awaited<ReturnType<typeof enrol>>['data']

export function EnrolForm({ ticket, run, onDone, links }: StepProps & { readonly links: ReactNode }) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const form = useContractForm(firstCode, { code: '' })
  if (enrolled !== null)
    return (
      <AuthCard title="保存恢复码" isLong>
        <RecoveryCodes codes={enrolled.recovery_codes} username={enrolled.user.username}>
          <Button theme="solid" block onClick={() => onDone(enrolled)}>
            已保存，进入控制台
          </Button>
        </RecoveryCodes>
      </AuthCard>
    )
  const submit = async (setup: string, { code }: z.output<typeof firstCode>) =>
    setEnrolled((await run(() => enrol({ ticket, setup, code }))).data)
  return (
    <AuthCard title="设置两步验证" isLong links={links}>
      <p>主账号要求子账号使用两步验证，请先完成设置再登录。</p>
      <TotpSetup load={async () => (await run(() => readSetup(ticket))).data}>
        {(setup) => (
          <Form form={form} onSubmit={(typed) => submit(setup, typed)}>
            <TotpField control={form.control} name="code" />
            <FormActions submitText="验证并登录" busy={form.busy} block />
          </Form>
        )}
      </TotpSetup>
    </AuthCard>
  )
}
