import { Link } from 'react-router'
import * as z from 'zod'
import type { Contact } from '#contract/contacts/index.ts'
import { ALERT } from '#contract/monitor/alert.ts'
import { paths } from '#lib/paths.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { NothingYet } from '#ui/state/page-states.tsx'
import styles from './setting-panels.module.css'

/* Dialog that chooses the contacts that get alerts by mail. */

const ticks = z.object({ rows: z.array(z.object({ isMailed: z.boolean(), isEscalated: z.boolean() })) })

/** Ids of contacts: `contacts` get the alerts, `escalation` those that nobody acknowledges. */
interface ChosenContacts {
  readonly contacts: string[]
  readonly escalation: string[]
}

interface ContactsDialogProps {
  readonly all: readonly Contact[]
  readonly chosen: ChosenContacts
  readonly onChoose: (chosen: ChosenContacts) => void
  readonly onClose: () => void
}

/** A contact that may get no mail can be chosen too, and its row gives the reason. */
export function ContactsDialog({ all, chosen, onChoose, onClose }: ContactsDialogProps) {
  const form = useContractForm(ticks, {
    rows: all.map(({ uuid }) => ({
      isMailed: chosen.contacts.includes(uuid),
      isEscalated: chosen.escalation.includes(uuid),
    })),
  })
  const { control } = form
  const choose = async ({ rows }: z.infer<typeof ticks>) => {
    const ticked = (key: 'isMailed' | 'isEscalated') =>
      all.filter((_, i) => rows[i]?.[key] === true).map(({ uuid }) => uuid)
    onChoose({ contacts: ticked('isMailed'), escalation: ticked('isEscalated') })
  }
  return (
    <FormDialog title="告警联系人" form={form} command={choose} onClose={onClose} submitText="确定" widthPx={560}>
      <p className="nl-muted">
        {`告警${ALERT.escalateMs / 60_000}分钟无人确认时，再通知升级联系人。`}
        <Link to={paths.contacts}>管理联系人</Link>
      </p>
      {all.length === 0 && <NothingYet title="还没有联系人" hint="请先添加联系人并完成邮箱验证。" />}
      <ul className={`nl-lined ${styles.list}`} aria-label="联系人">
        {all.map((contact, i) => (
          <li key={contact.uuid}>
            <span className={styles.name}>
              {contact.name}
              <small className="nl-muted">{[contact.email, unsentReason(contact)].filter(Boolean).join(' · ')}</small>
            </span>
            <CheckboxField control={control} name={`rows.${i}.isMailed`}>
              通知
            </CheckboxField>
            <CheckboxField control={control} name={`rows.${i}.isEscalated`}>
              升级
            </CheckboxField>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

function unsentReason({ email_verify, re_email_verify }: Contact): string {
  if (email_verify === 0) return '未验证，不会发送'
  return re_email_verify === 0 ? '授权已过期，不会发送' : ''
}
