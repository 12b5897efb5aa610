import type { WebhookTarget, WebhookType } from '#contract/kernel/outside.ts'

/** A webhook that is stored, opened. */
export interface StoredWebhook extends WebhookTarget {
  readonly masked: string
}

interface Sent {
  readonly type: WebhookType
  readonly url: string
  readonly secret?: string | null | undefined
}

/** Submitted webhook. The masked URL and an empty secret keep the stored values, if the type is the same. */
export function toTarget({ type, url, secret }: Sent, stored: StoredWebhook | null): WebhookTarget {
  const kept = stored?.type === type ? stored : null
  const typed = secret ?? ''
  return {
    type,
    url: kept !== null && url === kept.masked ? kept.url : url,
    secret: type === 'wechat' || secret === null ? '' : typed === '' ? (kept?.secret ?? '') : typed,
  }
}
