import { Hono } from 'hono'
import { webhookApi } from '#contract/webhook/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { readWebhook, removeWebhook, setWebhook, testWebhook } from './webhook.ts'

/* Endpoints of the alert webhook. */

export const webhookRoutes = new Hono<HonoEnv>()

mount(webhookRoutes, webhookApi, {
  config: readWebhook,
  setting: setWebhook,
  test: testWebhook,
  delete: removeWebhook,
})
