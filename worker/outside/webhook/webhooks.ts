import { ERRORS, type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { WebhookCause, WebhookPort, WebhookResult, WebhookType } from '#contract/kernel/outside.ts'
import { safeWords } from '#domain/outbound/safe-words.ts'
import type { Outbound } from '#outside/outbound.ts'
import type { WebhookAdapter } from './adapter.ts'
import { dingtalk } from './dingtalk.ts'
import { feishu } from './feishu.ts'
import { checkOwnUrl, standardWebhook } from './standard.ts'
import { wechat } from './wechat.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'

/* Webhooks of all kinds: check of addresses, and delivery of messages. */

export const WEBHOOKS: Readonly<Record<WebhookType, WebhookAdapter>> = {
  dingtalk,
  feishu,
  wechat,
  other: standardWebhook,
}

/** Reason against an address of this type, or null. For a customer's own server it is that of the broken rule. */
export function checkWebhookUrl(type: WebhookType, url: string): Violation | null {
  const { isUrl, platform, example } = WEBHOOKS[type]
  if (type === 'other') return checkOwnUrl(url)
  return isUrl(url) ? null : violation('WEBHOOK_URL', { platform, example }, 'url')
}

/** Address without the slashes behind it, which browsers and documents add. */
export const cleanWebhookUrl = (type: WebhookType, url: string): string =>
  type === 'other' ? url : url.replace(/\/+$/, '')

const REFUSALS: Readonly<Record<WebhookCause, ErrorKey>> = {
  signature: 'WEBHOOK_SIGNATURE',
  keyword: 'WEBHOOK_KEYWORD',
  address: 'WEBHOOK_SOURCE',
  robot: 'WEBHOOK_ROBOT',
}

/** Refusal with the words of the other side, as in '钉钉返回 310000: sign not match', or with our own where it said nothing. */
export function webhookRefusal(type: WebhookType, result: Exclude<WebhookResult, { readonly kind: 'ok' }>): Violation {
  const isOurs = Object.hasOwn(ERRORS, result.code)
  const reply = isOurs ? result.words : `${WEBHOOKS[type].platform}返回 ${result.code}: ${result.words}`
  if (result.kind === 'permanent' && result.cause)
    return violation(REFUSALS[result.cause], { reply, keyword: WEBHOOK.keyword })
  const isThrottle = result.kind === 'retry' && result.afterMs > 0
  return violation(isThrottle ? 'WEBHOOK_BUSY' : 'WEBHOOK_REFUSED', { reply })
}

/** Transient failures, which are retried. Every other refusal is a fault of the address. */
const PASSING: readonly ErrorKey[] = ['OUTBOUND_TIMEOUT', 'OUTBOUND_UNREACHABLE', 'OUTBOUND_HOST_UNKNOWN']

export function createWebhooks(outbound: Outbound): WebhookPort {
  return {
    async send(target, message) {
      const adapter = WEBHOOKS[target.type]
      const refused = checkWebhookUrl(target.type, target.url)
      if (refused) return toResult(new Refusal(refused))
      const { provider, to, headers = {}, body } = await adapter.build(target, message, Date.now())
      const request = { method: 'POST', headers, body, maxBytes: WEBHOOK.replyMaxBytes } as const
      try {
        const reply =
          provider === null
            ? await outbound.toUrl(to, request)
            : await outbound.toProvider(provider, to as `/${string}`, request)
        return adapter.interpret(reply)
      } catch (error) {
        if (error instanceof Refusal) return toResult(error)
        throw error
      }
    },
  }
}

function toResult({ violation: { key }, message }: Refusal): WebhookResult {
  const details = { code: key, words: safeWords(message) }
  return PASSING.includes(key) ? { kind: 'retry', ...details, afterMs: 0 } : { kind: 'permanent', ...details }
}
