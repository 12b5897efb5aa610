import Button from '@douyinfe/semi-ui/lib/es/button'
import { useNavigate } from 'react-router'
import { passwordEdit } from '#contract/account/forms.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { useEditPassword } from '../api.ts'
import { ChangeWizard } from './change-wizard.tsx'

/* Page that changes the password; it needs a bound phone or e-mail for a code (account 2). */

const TITLE = '修改密码'

export function PasswordPage() {
  const { user_phone, user_email } = useUser()
  const navigate = useNavigate()
  if (user_phone !== '' || user_email !== '')
    return <ChangeWizard title={TITLE} step="修改密码" form={(run) => <PasswordForm run={run} />} />
  const bind = (kind: 'phone' | 'email') => void navigate(paths.account({ bind: kind }))
  return (
    <>
      <PageHeader title={TITLE} trail={[{ label: '账号信息', to: paths.account() }]} />
      <Panel>
        <NothingYet
          title={ERRORS.CONTACT_REQUIRED.msg}
          action={
            <div className="nl-flow nl-form-actions">
              <PrimaryButton onClick={() => bind('phone')}>绑定手机</PrimaryButton>
              <Button onClick={() => bind('email')}>绑定邮箱</Button>
            </div>
          }
        />
      </Panel>
    </>
  )
}

function PasswordForm({ run }: { readonly run: (send: () => Promise<unknown>) => Promise<void> }) {
  const { username } = useUser() // for password managers: names the entry to update
  const form = useContractForm(passwordEdit, { new_password: '', reset_password: '' })
  const edit = useEditPassword()
  return (
    <Form form={form} onSubmit={(values) => run(() => edit.trigger(values))}>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        control={form.control}
        name="new_password"
        label="新密码"
        placeholder="6-18 位"
        autoComplete="new-password"
      />
      <PasswordField control={form.control} name="reset_password" label="重复密码" autoComplete="new-password" />
      <FormActions submitText="修改密码" busy={form.busy} />
    </Form>
  )
}
