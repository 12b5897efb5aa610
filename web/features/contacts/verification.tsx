import { Icon } from '#ui/state/icon.tsx'
import { OtpButton } from '#ui/form/inputs/otp-button.tsx'
import { type ContactRow, useSendValidateEmail } from './api.ts'
import styles from './verification.module.css'
import { CONTACT } from '#contract/contacts/limits.ts'

/** Whether the address is verified, else the button that sends the mail again (account 2). */
export function Verification({ contact, mayEdit }: { readonly contact: ContactRow; readonly mayEdit: boolean }) {
  const { uuid, name, email_verify, mail_pending, mail_error, resend_after } = contact
  const send = useSendValidateEmail()
  if (email_verify === 1)
    return (
      <span className="nl-status nl-tag nl-tone-ok">
        <Icon shape="tick" tone="ok" />
        <span className="nl-status-word">已验证</span>
      </span>
    )
  return (
    <span className={styles.cell}>
      <span className="nl-status nl-tag nl-tone-idle">
        <Icon shape="dash" tone="idle" />
        <span className="nl-status-word">未验证</span>
      </span>
      {mayEdit && (
        <OtpButton
          text="重新发送"
          label={`重新发送验证邮件 ${name}`}
          seconds={CONTACT.resendSeconds}
          running={resend_after}
          disabled={mail_pending === 1}
          send={() => send.trigger({ uuid })}
        />
      )}
      {mail_pending === 1 && <small className="nl-muted">发送中</small>}
      {mail_error !== '' && <small className={styles.failed}>发送失败，请重新发送</small>}
    </span>
  )
}
