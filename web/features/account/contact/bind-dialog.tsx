import { type ReactNode, useEffect, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { emailBinding, phoneBinding } from '#contract/account/forms.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { DONE, RESULT, SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { useDialCodes } from '#ui/member/use-member-credentials.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { EmailField } from '#ui/form/inputs/email-field.tsx'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { type ContactKind, reloadUser, useEditEmail, useEditPhone } from '../api.ts'
import { useSendToEmail, useSendToPhone } from './contact-forms.ts'

/* Dialogs that bind the first phone or e-mail of an account; the wizard makes later changes. */

interface BindDialogProps {
  readonly onClose: () => void
}

export function BindPhoneDialog({ onClose }: BindDialogProps) {
  const form = useContractForm(phoneBinding, { area_code: DIAL_CODE_DEFAULT, phone: '', password: '', code: '' })
  const send = useSendToPhone(form)
  const bind = useEditPhone()
  return (
    <BindDialog kind="phone" form={form} send={send} bind={(values) => bind.trigger(toSent(values))} onClose={onClose}>
      <PhoneField control={form.control} name="phone" label="手机号码" required dialCodes={useDialCodes()} />
    </BindDialog>
  )
}

export function BindEmailDialog({ onClose }: BindDialogProps) {
  const form = useContractForm(emailBinding, { email: '', password: '', code: '' })
  const send = useSendToEmail(form)
  const bind = useEditEmail()
  return (
    <BindDialog kind="email" form={form} send={send} bind={(values) => bind.trigger(toSent(values))} onClose={onClose}>
      <EmailField control={form.control} name="email" label="邮箱" required />
    </BindDialog>
  )
}

interface Proofs {
  readonly code?: string | undefined
  readonly password?: string | undefined
}

const toSent = <T extends Proofs>({ code = '', password = '', ...contact }: T) => ({ ...contact, code, password })

interface FormProps<V extends FieldValues, T extends Proofs> extends BindDialogProps {
  readonly kind: ContactKind
  readonly form: ContractForm<V, T>
  readonly send: () => Promise<unknown>
  readonly bind: (values: T) => Promise<unknown>
  readonly children: ReactNode
}

const NOUN = { phone: '手机', email: '邮箱' } as const

/** The code field appears with the service's 401 or 403 (account 8). */
function BindDialog<V extends FieldValues, T extends Proofs>(props: FormProps<V, T>) {
  const { kind, form, send, bind, onClose, children } = props
  const { control, setFocus } = form
  const [hasCode, setHasCode] = useState(false)
  const { username } = useUser() // for password managers
  const navigate = useNavigate()
  useEffect(() => {
    if (hasCode) setFocus('code' as FieldPath<V>)
  }, [hasCode, setFocus])

  const save = async (values: T) => {
    try {
      await bind(values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.reason === 'IDENTITY_REQUIRED') {
        await reloadUser() // another session has bound a contact
        void navigate(kind === 'phone' ? paths.changePhone : paths.changeEmail)
        return false
      }
      if (hasCode || (error.code !== RESULT.stepNeeded && error.code !== RESULT.forbidden)) throw error
      setHasCode(true)
      return false
    }
    toast.done(DONE.bound)
    return reloadUser()
  }
  return (
    <FormDialog title={`绑定${NOUN[kind]}`} form={form} command={save} onClose={onClose} submitText="绑定">
      {children}
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        control={control}
        name={'password' as FieldPath<V>}
        label="登录密码"
        required
        help="账号还没有可接收验证码的手机或邮箱，请用登录密码确认是本人操作"
        autoComplete="current-password"
      />
      {hasCode && (
        <OtpField
          control={control}
          name={'code' as FieldPath<V>}
          label="验证码"
          required
          missing={SENTENCE.codeMissing}
          send={send}
        />
      )}
    </FormDialog>
  )
}
