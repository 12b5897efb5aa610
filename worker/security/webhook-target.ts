import type { WebhookTarget } from '#contract/kernel/outside.ts'
import { type SealedPlace, openSealed, seal } from './sealed.ts'

/* Webhooks in the database: address and secret are sealed. */

interface StoredWebhook {
  readonly accountId: number
  readonly type: WebhookTarget['type']
  readonly urlSealed: string
  readonly urlMasked: string
  readonly secretSealed: string
  readonly updatedAt: number
}

const place = (accountId: number, column: 'url_sealed' | 'secret_sealed'): SealedPlace => ({
  table: 'webhooks',
  column,
  accountId,
})

export async function openWebhook(
  sealKeys: string,
  row: Pick<StoredWebhook, 'accountId' | 'type' | 'urlSealed' | 'secretSealed'>,
): Promise<WebhookTarget> {
  const { accountId, type, urlSealed, secretSealed } = row
  const url = await openSealed(sealKeys, place(accountId, 'url_sealed'), urlSealed)
  const secret = secretSealed === '' ? '' : await openSealed(sealKeys, place(accountId, 'secret_sealed'), secretSealed)
  return { type, url, secret }
}

export async function sealWebhook(
  sealKeys: string,
  { type, url, secret }: WebhookTarget,
  { accountId, masked, now }: { accountId: number; masked: string; now: number },
): Promise<StoredWebhook> {
  return {
    accountId,
    type,
    urlSealed: await seal(sealKeys, place(accountId, 'url_sealed'), url),
    urlMasked: masked,
    secretSealed: secret === '' ? '' : await seal(sealKeys, place(accountId, 'secret_sealed'), secret),
    updatedAt: now,
  }
}
