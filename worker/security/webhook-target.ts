import type { WebhookTarget } from '#contract/kernel/outside.ts'
import { openSealed, placeInAccount, seal } from './sealed.ts'

/* Webhooks in the database: address and secret are sealed. */

interface StoredWebhook {
  readonly accountId: number
  readonly type: WebhookTarget['type']
  readonly urlSealed: string
  readonly urlMasked: string
  readonly secretSealed: string
  readonly updatedAt: number
}

const urlPlace = placeInAccount('webhooks', 'url_sealed')
const secretPlace = placeInAccount('webhooks', 'secret_sealed')

type SealedWebhook = Omit<StoredWebhook, 'urlMasked' | 'updatedAt'>

export async function openWebhook(
  sealKeys: string,
  { accountId, type, urlSealed, secretSealed }: SealedWebhook,
): Promise<WebhookTarget> {
  const url = await openSealed(sealKeys, urlPlace(accountId), urlSealed)
  const secret = secretSealed === '' ? '' : await openSealed(sealKeys, secretPlace(accountId), secretSealed)
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
    urlSealed: await seal(sealKeys, urlPlace(accountId), url),
    urlMasked: masked,
    secretSealed: secret === '' ? '' : await seal(sealKeys, secretPlace(accountId), secret),
    updatedAt: now,
  }
}
