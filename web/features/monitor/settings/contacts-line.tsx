import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useContactChoices } from '../api.ts'
import type { FormOfSettings } from './setting-form.ts'
import styles from './setting-panels.module.css'

const ContactsDialog = lazyDialog(() => import('./contacts-dialog.tsx').then((m) => ({ default: m.ContactsDialog })))

interface ContactsLineProps {
  readonly form: FormOfSettings
  readonly disabled: boolean
}

/** Contacts that alerts are mailed to, and the button that ticks them; they are saved with the form. */
export function ContactsLine({ form, disabled }: ContactsLineProps) {
  const all = useContactChoices().data?.data
  const [isOpen, setOpen] = useState(false)
  const [contacts, escalation] = [form.watch('contacts'), form.watch('escalation')]
  const namesOf = (chosen: readonly string[]) =>
    (all ?? []).flatMap(({ uuid, name }) => (chosen.includes(uuid) ? [name] : [])).join('、')
  return (
    <div className={styles.webhook}>
      <span className="nl-muted">
        {`联系人：${namesOf(contacts) || '不通知'}；升级联系人：${namesOf(escalation) || '不升级'}`}
      </span>
      {!disabled && all !== undefined && <Button onClick={() => setOpen(true)}>选择联系人</Button>}
      {isOpen && (
        // The dialog is a form of its own: its submit would bubble through the portal to the form around this line.
        <div onSubmit={(event) => event.stopPropagation()}>
          <ContactsDialog
            all={all ?? []}
            chosen={{ contacts, escalation }}
            onChoose={(chosen) => {
              form.setValue('contacts', chosen.contacts, { shouldDirty: true })
              form.setValue('escalation', chosen.escalation, { shouldDirty: true })
            }}
            onClose={() => setOpen(false)}
          />
        </div>
      )}
    </div>
  )
}
