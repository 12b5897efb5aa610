import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import type { ContactRow } from './api.ts'
import { UnsentAlerts } from './unsent-alerts.tsx'
import { Verification } from './verification.tsx'

interface ColumnsOptions {
  /** Whether the role may write contacts: without it no button sends a mail again. */
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
