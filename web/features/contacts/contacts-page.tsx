import { useState } from 'react'
import { ERRORS } from '#contract/kernel/errors.ts'
import { RESULT, SENTENCE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { toast } from '#lib/toast/toast.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import {
  type ContactRow,
  useContacts,
  useDeleteContact,
  useMayEditContacts,
  useUnsentCounts,
  useUpdateVerify,
} from './api.ts'
import { contactColumns } from './contact-columns.tsx'

const ContactDialog = lazyDialog(() => import('./contact-dialog.tsx').then((m) => ({ default: m.ContactDialog })))

const UnsentDialog = lazyDialog(() => import('./unsent-dialog.tsx').then((m) => ({ default: m.UnsentDialog })))

/** Contacts of the account (account 2): whom alerts are mailed to. */
export function ContactsPage() {
  const list = useListState({})
  const query = useContacts(list)
  const mayEdit = useMayEditContacts()
  const remove = useDeleteContact()
  const renew = useUpdateVerify()
  const unsent = useUnsentCounts()
  const [edited, setEdited] = useState<ContactRow | 'new' | null>(null)
  const [missed, setMissed] = useState<ContactRow | null>(null)

  /** The call shows every refusal but 423: here its contact has unsubscribed since the list was read. */
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
    <ActionButton
      theme="solid"
      type="primary"
      blocked={mayEdit ? null : SENTENCE.permissionDenied}
      onClick={() => setEdited('new')}
    >
      添加联系人
    </ActionButton>
  )
  return (
    <ListPage
      title="联系人"
      label="联系人"
      actions={add}
      searchLabel="搜索名称或邮箱"
      columns={contactColumns({ mayEdit, unsent, onUnsent: setMissed })}
      rowKey={(row) => row.uuid}
      rowName={(row) => row.name}
      toRowActions={toRowActions}
      empty={{ hint: '联系人通过邮件接收告警通知。邮箱验证后180天内有效，到期前请更新授权。', action: mayEdit && add }}
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
