import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { CONTACT } from '#contract/contacts/limits.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { RESULT, SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { toast } from '#lib/toast/toast.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { OtpButton } from '#ui/form/inputs/otp-button.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import {
  type ContactRow,
  useContacts,
  useDeleteContact,
  useMayEditContacts,
  useMayReadContacts,
  useSendValidateEmail,
  useUnsentCounts,
  useUpdateVerify,
} from './api.ts'
import styles from './contacts.module.css'

/* Page of the contacts of the account, who get alerts by mail (account 2). */

const ContactDialog = lazyDialog(() => import('./contact-dialog.tsx').then((m) => m.ContactDialog))

const UnsentDialog = lazyDialog(() => import('./unsent-dialog.tsx').then((m) => m.UnsentDialog))

export function ContactsPage() {
  const list = useListState({})
  const query = useContacts(list)
  const mayEdit = useMayEditContacts()
  const mayRead = useMayReadContacts()
  const remove = useDeleteContact()
  const renew = useUpdateVerify()
  const unsent = useUnsentCounts()
  const [edited, setEdited] = useState<ContactRow | 'new' | null>(null)
  const [missed, setMissed] = useState<ContactRow | null>(null)

  /** The call shows every refusal except 423, which means here that the contact has unsubscribed meanwhile. */
  const onRefused = (error: unknown) => {
    if (error instanceof ApiError && error.code === RESULT.doFirst) toast.error(error.msg)
    void query.mutate()
  }
  const toRowActions = (row: ContactRow): readonly RowAction[] => {
    const { uuid, email_verify } = row
    if (!mayEdit) return []
    return [
      { label: '编辑', onSelect: () => setEdited(row) },
      {
        label: '更新授权',
        onSelect: () => void renew.trigger({ uuid }).catch(onRefused),
        blocked: email_verify === 1 ? null : ERRORS.CONTACT_UNVERIFIED.msg,
      },
      { label: '删除', danger: true, onSelect: () => void confirmDelete(row, () => remove.trigger({ uuid })) },
    ]
  }
  const add = (
    <ActionButton theme="solid" blocked={mayEdit ? null : SENTENCE.permissionDenied} onClick={() => setEdited('new')}>
      添加联系人
    </ActionButton>
  )
  return (
    <ListPage
      title="联系人"
      actions={add}
      columns={contactColumns({ mayEdit, unsent, onUnsent: setMissed })}
      rowKey={(row) => row.uuid}
      rowName={(row) => row.name}
      toRowActions={toRowActions}
      empty={{ hint: '联系人通过邮件接收告警通知。邮箱验证后180天内有效，到期前请更新授权。', action: mayEdit && add }}
      {...(mayRead && { searchLabel: '搜索名称或邮箱' })}
      {...{ list, query }}
    >
      {edited !== null && <ContactDialog contact={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {missed !== null && <UnsentDialog contact={missed} onClose={() => setMissed(null)} />}
    </ListPage>
  )
}

const confirmDelete = ({ name, email }: ContactRow, run: () => Promise<unknown>) =>
  confirm({
    title: `删除联系人“${name}”？`,
    body: `是否确定删除? 删除后不再向 ${email} 发送告警通知。`,
    verb: '删除联系人',
    danger: true,
    run,
  })

interface ColumnsOptions {
  readonly mayEdit: boolean
  readonly unsent: ReadonlyMap<string, number>
  readonly onUnsent: (contact: ContactRow) => void
}

const contactColumns = ({ mayEdit, unsent, onUnsent }: ColumnsOptions): readonly Column<ContactRow>[] => [
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

function UnsentAlerts({ name, count, onOpen }: { name: string; count: number; onOpen: () => void }) {
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
  if (email_verify === 1) return <StatusWord shape="tick" tone="ok" word="已验证" />
  return (
    <span className={styles.cell}>
      <StatusWord shape="dash" tone="idle" word="未验证" />
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
