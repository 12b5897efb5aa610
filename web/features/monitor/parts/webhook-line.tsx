import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { useWebhook } from '../api.ts'
import type { MonitorRights } from '../rights.ts'
import styles from './setting-panels.module.css'

const WebhookDialog = lazyDialog(() =>
  import('../dialogs/webhook-dialog.tsx').then((m) => ({ default: m.WebhookDialog })),
)

/** The webhook that is configured, and the button that opens it. */
export function WebhookLine({ rights }: { readonly rights: MonitorRights }) {
  const config = useWebhook().data?.data
  const [isOpen, setOpen] = useState(false)
  if (config === undefined) return null
  return (
    <div className={styles.webhook}>
      <span className="nl-muted">{config.url === '' ? '未配置Webhook' : config.url}</span>
      {rights.edit && rights.whole && <Button onClick={() => setOpen(true)}>配置Webhook</Button>}
      {isOpen && <WebhookDialog config={config} rights={rights} onClose={() => setOpen(false)} />}
    </div>
  )
}
