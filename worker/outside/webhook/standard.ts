import { Refusal } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { WebhookResult } from '#contract/kernel/outside.ts'
import { hmacSha256, toBase64 } from '#security/secrets.ts'
import { safeWords } from '#domain/outbound/safe-words.ts'
import { toPublicUrl } from '#outside/outbound-url.ts'
import type { OutboundReply } from '#outside/outbound.ts'
import { type WebhookAdapter, jsonHeaders } from './adapter.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Webhook of a customer's own server, by the Standard Webhooks specification. */

const RETRY_AFTER_MAX_S = 3_600

/** Adapter of the customer's own server. Without a secret the webhook is not signed. */
export const standardWebhook: WebhookAdapter = {
  platform: '对方服务器',
  example: 'https://hooks.example.com/alerts',
  isUrl: (url) => checkOwnUrl(url) === null,
  /** Shows only the host: paths and queries contain keys. */
  maskUrl: (url) => `${URL.parse(url)?.origin ?? ''}/******`,
  async build({ url, secret }, { eventId, event, at, title, lines, data, sender }, now) {
    const body = JSON.stringify({
      type: event,
      timestamp: new Date(at).toISOString(),
      event_id: eventId,
      data: { title, lines, ...data, ...sender },
    })
    const timestamp = Math.floor(now / 1000)
    const id = eventId.replace(/[^\w.:-]/g, '-')
    return {
      provider: null,
      to: url,
      headers: {
        ...jsonHeaders,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        ...(secret !== '' && { 'webhook-signature': await signWebhook(secret, id, timestamp, body) }),
      },
      body,
    }
  },
  interpret: interpretReply,
}

/** Reason against the address of a customer's own server, or null. */
export function checkOwnUrl(url: string): Violation | null {
  try {
    toPublicUrl(url)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.violation
    throw error
  }
}

function interpretReply({ status, text, headers }: OutboundReply): WebhookResult {
  const details = { code: String(status), words: safeWords([...text].slice(0, WEBHOOK.wordsMax).join('')) }
  if (status >= 200 && status < 300) return { kind: 'ok', ...details }
  if (status < 500 && status !== 429 && status !== 408) return { kind: 'permanent', ...details }
  const asked = Number(headers.get('retry-after') ?? Number.NaN)
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, RETRY_AFTER_MAX_S) : 0
  return { kind: 'retry', ...details, afterMs: Math.max(seconds * 1000, status === 429 ? WEBHOOK.busyMs : 0) }
}

const WHSEC_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** Signature 'v1,…' over id, time and body. The secret is text, or base64 of its bytes behind whsec_. */
export async function signWebhook(secret: string, id: string, atSeconds: number, body: string): Promise<string> {
  const encoded = WHSEC_SECRET.exec(secret)?.[1]
  const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64')
  return `v1,${toBase64(await hmacSha256(key, `${id}.${atSeconds}.${body}`))}`
}
