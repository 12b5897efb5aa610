import * as z from 'zod'
import { endpoint } from '#contract/kernel/endpoint.ts'
import { empty, lengthText, nothing, wireBoolean } from '#contract/kernel/fields.ts'
import { WEBHOOK_TYPES } from '#contract/kernel/outside.ts'

/** `wecom` is what some clients call the robots of WeCom. */
const type = z.preprocess((sent) => (sent === 'wecom' ? 'wechat' : sent), z.enum(WEBHOOK_TYPES, '请输入类型'))

/** The masked url and an empty secret mean unchanged; null removes the secret, another type forgets it. */
export const webhookSecret = z.string().trim().max(200, lengthText('密钥', 200))
export const webhookForm = z.object({
  type,
  url: z.string('请输入URL').trim().min(1, '请输入URL').max(2048, '网址过长，请核对后重试'),
  secret: webhookSecret.nullable().optional(),
})

const webhookConfig = z.object({
  type: z.enum(WEBHOOK_TYPES),
  /** Address with its key masked; '' where none is configured. */
  url: z.string(),
  secret: z.literal(''),
  has_secret: wireBoolean,
})
export type WebhookConfig = z.infer<typeof webhookConfig>

const CONFIG = 'webhook/config'
const EXAMPLE_FORM = { type: 'other', url: 'https://hooks.example.com/alerts', secret: 'secret' } as const

export const webhookApi = {
  config: endpoint({
    method: 'GET',
    path: 'webhook/config',
    access: 'monitor:view',
    summary: 'Where alerts are posted to, with its key masked',
    input: empty,
    output: webhookConfig,
    example: {},
  }),
  setting: endpoint({
    method: 'POST',
    path: 'webhook/setting',
    access: 'monitor:edit',
    summary: 'Set the webhook; a paused one goes on',
    input: webhookForm,
    output: nothing,
    done: 'set',
    refreshes: [CONFIG, 'monitor/config'],
    example: EXAMPLE_FORM,
  }),
  test: endpoint({
    method: 'POST',
    path: 'webhook/test',
    access: 'monitor:edit',
    summary: 'Send a test message by what the form holds, six times a minute at most',
    input: webhookForm,
    output: nothing,
    done: 'sent',
    example: EXAMPLE_FORM,
  }),
  delete: endpoint({
    method: 'POST',
    path: 'webhook/delete',
    access: 'monitor:delete',
    summary: 'Delete the webhook; alerts are not posted any longer',
    input: empty,
    output: nothing,
    done: 'deleted',
    refreshes: [CONFIG, 'monitor/config'],
    example: {},
  }),
} as const
