import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { ALERT_RETRY } from '#contract/monitor/alert.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { useContactChoices, useDeliveries, useWebhook } from '../api.ts'
import { useMonitorRights } from '../rights.ts'
import type { FormOfSettings } from './setting-form.ts'
import styles from './setting-panels.module.css'

/* Lines of the settings of monitoring for the channels of alerts: webhook and mail contacts. */

const WebhookDialog = lazyDialog(() => import('./webhook-dialog.tsx').then((m) => m.WebhookDialog))

const NEWEST = { channel: 'webhook', page: 1, limit: 10 } as const

export function WebhookLine() {
  const rights = useMonitorRights()
  const config = useWebhook().data?.data
  const [isOpen, setOpen] = useState(false)
  if (config === undefined) return <div className={styles.webhook} />
  return (
    <>
      {config.url !== '' && <LastDelivery />}
      <div className={styles.webhook}>
        <span className="nl-muted">{config.url === '' ? '未配置Webhook' : config.url}</span>
        {rights.edit && rights.whole && <Button onClick={() => setOpen(true)}>配置Webhook</Button>}
        {isOpen && <WebhookDialog config={config} onClose={() => setOpen(false)} />}
      </div>
    </>
  )
}

/** Failure of the webhook, as the receiver reports it; nothing if the newest message has arrived. */
function LastDelivery() {
  const { data } = useDeliveries(NEWEST)
  const paused = data?.paused ?? 0
  const failed = data?.data.find(({ state }) => state !== 'merged' && state !== 'skipped')
  const words = [failed?.code, failed?.words].filter(Boolean).join('：')
  if (paused > 0)
    return (
      <Notice tone="bad" role="alert">
        {`连续${ALERT_RETRY.failuresMax}次投递失败，Webhook已暂停${words && `（${words}）`}。请核对配置后保存，或在投递记录中重发。`}
      </Notice>
    )
  if (failed === undefined || failed.state === 'sent' || words === '') return null
  return (
    <Notice tone="warn" role="alert">
      {`最近一次投递未成功：${words}${failed.state === 'pending' ? '，将自动重试' : ''}`}
    </Notice>
  )
}

const ContactsDialog = lazyDialog(() => import('./contacts-dialog.tsx').then((m) => m.ContactsDialog))

/** Contacts that get alerts by mail, and the button that chooses them. They are saved with the form. */
export function ContactsLine({ form, disabled }: { form: FormOfSettings; disabled: boolean }) {
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
        <ContactsDialog
          all={all ?? []}
          chosen={{ contacts, escalation }}
          onChoose={(chosen) => {
            form.setValue('contacts', chosen.contacts, { shouldDirty: true })
            form.setValue('escalation', chosen.escalation, { shouldDirty: true })
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
