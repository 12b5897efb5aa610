import * as z from 'zod'
import { SENTENCE } from '#contract/kernel/result.ts'
import { ALERT_CHANNELS, DELIVERY_STATES, NOTICE_KINDS } from './alert.ts'
import { read, write } from '#contract/kernel/endpoint.ts'
import { time } from '#contract/kernel/fields.ts'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { list } from '#contract/kernel/list.ts'

/* Endpoints of alert deliveries: list, unsent alerts, repeat. */

const deliveryRow = z.object({
  delivery_id: z.string(),
  alert_id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  channel: z.enum(ALERT_CHANNELS),
  /** Mail address; '' for other channels. */
  target: z.string(),
  title: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** Code and words of the other side. */
  code: z.string(),
  words: z.string(),
  tries: z.int(),
  create_time: time,
  /** Time at which the delivery was sent or given up. */
  done_time: time.nullable(),
  /** Time of the next try. */
  next_time: time.nullable(),
})
export type DeliveryRow = z.infer<typeof deliveryRow>

const unsentRow = z.object({
  /** Mail address of the contact. */
  target: z.string(),
  count: z.int(),
  last_time: time,
})
export type UnsentRow = z.infer<typeof unsentRow>

const deliveryFilters = {
  channel: z.enum(['', ...ALERT_CHANNELS]).default(''),
  state: z.enum(['', ...DELIVERY_STATES]).default(''),
  alert_id: z.string().max(128).default(''),
  /** Mail address. */
  target: z.string().max(EMAIL_MAX).default(''),
}
export const deliveries = {
  deliveries: read('monitor/deliveries', 'monitor:view', {
    summary: 'What was sent of alerts in the last 90 days, newest first',
    ...list({ row: deliveryRow, filters: deliveryFilters, counts: { paused: z.int() } }),
  }),
  unsent: read('monitor/unsent', 'monitor:view', {
    summary: 'Contacts that were not written to in the last 90 days, because they are not verified or have expired',
    output: z.array(unsentRow),
  }),
  resend: write('monitor/resend', 'monitor:edit', {
    summary: 'Send a failed delivery again, under its event id; a paused channel goes on',
    input: z.object({ delivery_id: z.string().min(1).max(300, SENTENCE.deliveryNotFound) }),
    done: 'sent',
    refreshes: ['monitor/deliveries'],
    example: { delivery_id: 'x' },
  }),
} as const
