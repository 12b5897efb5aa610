import Button from '@douyinfe/semi-ui/lib/es/button'
import { CONTACT } from '#contract/contacts/limits.ts'
import { OtpButton } from '#ui/form/inputs/otp-button.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Icon } from '#ui/state/icon.tsx'
import { type ContactRow, useSendValidateEmail } from './api.ts'
import styles from './link-result.module.css'

interface ColumnsOptions {
  /** The role may write contacts; otherwise no button sends a mail again. */
  readonly mayEdit: boolean
  /** Number of alerts that were not sent, by address. */
  readonly unsent: ReadonlyMap<string, number>
  readonly onUnsent: (contact: ContactRow) => void
}

export const contactColumns = ({ mayEdit, unsent, onUnsent }: ColumnsOptions): readonly Column<ContactRow>[] => [
  { key: 'name', title: '名称', isName: true, cell: (row) => row.name },
  { key: 'email', title: '邮箱', wrap: true, cell: (row) => row.email },
  {
    key: 'verify',
    title: '验证状态',
    cell: (row) => (
      <>
        <Verification contact={row} mayEdit={mayEdit} />
        <UnsentAlerts name={row.name} count={unsent.get(row.email) ?? 0} onOpen={() => onUnsent(row)} />
      </>
    ),
  },
  { key: 'time', title: '授权时间', wrap: true, cell: (row) => <AuthorizationTime contact={row} /> },
  { key: 'expire', title: '到期时间', from: 'xl', cell: (row) => <TimeText at={row.expire_time} /> },
]

function AuthorizationTime({ contact }: { readonly contact: ContactRow }) {
  const isExpired = contact.email_verify === 1 && contact.re_email_verify === 0
  return (
    <span>
      <TimeText at={contact.email_verify_time} /> {isExpired && <span className="nl-expiry-past">(已过期)</span>}
    </span>
  )
}

interface UnsentAlertsProps {
  readonly name: string
  readonly count: number
  readonly onOpen: () => void
}

/** Number of alerts that did not go out to a contact; nothing where all did. */
function UnsentAlerts({ name, count, onOpen }: UnsentAlertsProps) {
  if (count === 0) return null
  return (
    <Button
      theme="borderless"
      type="warning"
      size="small"
      aria-label={`${name} 有 ${count} 条告警未发送`}
      onClick={onOpen}
    >
      {count} 条告警未发送
    </Button>
  )
}

/** Verified mark, or the button that sends the verification mail again (account 2). */
function Verification({ contact, mayEdit }: { readonly contact: ContactRow; readonly mayEdit: boolean }) {
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
