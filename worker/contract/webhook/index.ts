import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { codeString, lengthText, wireBoolean } from '#contract/kernel/fields.ts'
import { WEBHOOK_TYPES } from '#contract/kernel/outside.ts'

/* Endpoints and form of the alert webhook. */

/** Type of a webhook. Some clients call WeCom robots `wecom`. */
const type = z.preprocess((sent) => (sent === 'wecom' ? 'wechat' : sent), z.enum(WEBHOOK_TYPES, '请输入类型'))

/** Secret of a webhook. Empty keeps the old one, as the masked url does; null or another type removes it. */
export const webhookSecret = z.string().trim().max(200, lengthText('密钥', 200))
export const webhookForm = z.object({
  type,
  url: codeString('请输入URL').min(1, '请输入URL').max(2048, '网址过长，请核对后重试'),
  secret: webhookSecret.nullable().optional(),
})

const webhookConfig = z.object({
  type: z.enum(WEBHOOK_TYPES),
  /** Address with its key masked; '' if none is configured. */
  url: z.string(),
  secret: z.literal(''),
  has_secret: wireBoolean,
})
export type WebhookConfig = z.infer<typeof webhookConfig>

const CONFIG = 'webhook/config'
const EXAMPLE_FORM = { type: 'other', url: 'https://hooks.example.com/alerts', secret: 'secret' } as const

export const webhookApi = {
  config: read('webhook/config', 'monitor:view', {
    summary: 'Where alerts are posted to, with its key masked',
    output: webhookConfig,
  }),
  setting: write('webhook/setting', 'monitor:edit', {
    summary: 'Set the webhook; a paused one goes on',
    input: webhookForm,
    done: 'set',
    refreshes: [CONFIG, 'monitor/config'],
    example: EXAMPLE_FORM,
  }),
  test: write('webhook/test', 'monitor:edit', {
    summary: 'Send a test message by what the form holds, six times a minute at most',
    input: webhookForm,
    done: 'sent',
    example: EXAMPLE_FORM,
  }),
  delete: write('webhook/delete', 'monitor:delete', {
    summary: 'Delete the webhook; alerts are not posted any longer',
    done: 'deleted',
    refreshes: [CONFIG, 'monitor/config'],
  }),
} as const
