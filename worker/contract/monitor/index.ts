import * as z from 'zod'
import { SENTENCE } from '#contract/kernel/result.ts'
import {
  ALERT,
  ALERT_CHANNELS,
  ALERT_RULES,
  type AlertChannel,
  type AlertRule,
  DELAY_WRONG,
  DELIVERY_STATES,
  type DeliveryState,
  NOTICE_KINDS,
  SEVERITIES,
} from './alert.ts'
import { EXAMPLE, type Parsed, read, write } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { list } from '#contract/kernel/list.ts'

/* Endpoints of monitoring: alert settings, alerts, deliveries, mutes, and questions to the account's hub. */

const booleanField = numeric(wireBoolean)
const ofEachRule = <T extends z.ZodType>(schema: T) =>
  Object.fromEntries(ALERT_RULES.map((rule) => [rule, schema])) as Record<AlertRule, T>
/** Switches as sent. A client of account 3 knows fewer events; a missing switch is not changed. */
const sentFlags = {
  ...ofEachRule(booleanField),
  flapping: booleanField.optional(),
  config_failed: booleanField.optional(),
  directory_sync: booleanField.optional(),
}

const member = z.object({ router_name: z.string(), note: z.string() })

const delay = numeric(z.int(DELAY_WRONG).min(0, DELAY_WRONG).max(ALERT.delayMaxMinutes, DELAY_WRONG))
const ruleDetail = z.object({ delay, severity: z.enum(SEVERITIES) })
const rules = z.object(ofEachRule(ruleDetail))
const minute = numeric(z.int('请选择时间').min(0, '请选择时间').max(1439, '请选择时间'))
const quiet = z.object({ on: booleanField, start: minute, end: minute })
const uuids = z.array(z.string().max(64)).max(50)

const monitorConfig = z.object({
  enable: wireBoolean,
  portal_confirm: wireBoolean,
  email_confirm: wireBoolean,
  webhook_confirm: wireBoolean,
  ...ofEachRule(wireBoolean),
  /** 1: all members, also future ones; then `router` is empty. */
  all_routers: wireBoolean,
  router: z.array(member),
  rules,
  /** Minutes of the day in Asia/Shanghai. */
  quiet: z.object({ on: wireBoolean, start: z.int(), end: z.int() }),
  contacts: z.array(z.string()),
  escalation: z.array(z.string()),
  /** Available channels; the switches depend on them. */
  has_email: wireBoolean,
  has_webhook: wireBoolean,
})
export type MonitorConfig = z.infer<typeof monitorConfig>

const alertRow = z.object({
  alert_id: z.string(),
  rule: z.enum(ALERT_RULES),
  severity: z.enum(SEVERITIES),
  title: z.string(),
  /** Name of the member; '' if the alert is about several or none. */
  router_name: z.string(),
  network_number: z.string(),
  /** Note or name of the member, or name of the network that the alert is about; absent for other objects. */
  label: z.string().optional(),
  reason: z.string(),
  start_time: time,
  /** End of the alert; null while it lasts. */
  end_time: time.nullable(),
  /** Number of members that the alert explains, and of their absences. */
  folded: z.int(),
  times: z.int(),
  ack_by: z.string(),
  ack_time: time.nullable(),
})
export type AlertRow = z.infer<typeof alertRow>

const childRow = z.object({
  /** Name of the member; '' of a POP connection, which its network shows. */
  router_name: z.string(),
  network_number: z.string(),
  label: z.string(),
  /** Start of the first absence and end of the last; null while it lasts. */
  start_time: time,
  end_time: time.nullable(),
  times: z.int(),
  /** The newest of them, oldest first. */
  absences: z.array(z.object({ start_time: time, end_time: time.nullable() })),
})
export type AlertChildRow = z.infer<typeof childRow>

const muteRow = z.object({
  mute_id: z.int(),
  kind: z.enum(['all', 'router', 'network']),
  target: z.string(),
  /** Display name of the muted object. */
  label: z.string(),
  until: time,
  create_by: z.string(),
})

export const ALERT_FILTERS = ['', 'open', 'acknowledged', 'recovered', 'event'] as const
const alertFilters = {
  search,
  status: z.enum(ALERT_FILTERS).default(''),
  rule: z.enum(['', ...ALERT_RULES]).default(''),
}
const alertId = z.string().min(1).max(128, SENTENCE.alertNotFound)

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
  /** Time of the next try; null also while the delivery waits for an earlier notice of its alert. */
  next_time: time.nullable(),
  waits: wireBoolean,
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
  target: z.string().max(EMAIL_MAX).default(''),
}

const muteInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all'), duration: z.enum(['hour', 'day', 'week']) }),
  z.object({ kind: z.literal('router'), router_name: routerName, duration: z.enum(['hour', 'day', 'week']) }),
  z.object({ kind: z.literal('network'), network_number: networkNumber, duration: z.enum(['hour', 'day', 'week']) }),
])

const CONFIG = 'monitor/config'

export const monitorApi = {
  config: read('monitor/config', 'monitor:view', {
    summary: 'Settings of monitoring',
    output: monitorConfig,
  }),
  setting: write('monitor/setting', 'monitor:edit', {
    summary: 'Choose events, channels and members; what is not sent stays as it is',
    input: z.object({
      email_confirm: booleanField,
      webhook_confirm: booleanField,
      portal_confirm: booleanField.optional(), // ignored: always on
      ...sentFlags,
      all_routers: booleanField.optional(),
      router: z.array(routerName, '请选择成员').max(10_000, '成员过多，请选择全部成员'),
      rules: rules.partial().optional(),
      quiet: quiet.optional(),
      contacts: uuids.optional(),
      escalation: uuids.optional(),
    }),
    done: 'set',
    refreshes: [CONFIG],
    example: {
      email_confirm: 0,
      webhook_confirm: 0,
      portal_confirm: 1,
      router_online: 0,
      router_offline: 1,
      service_expired: 1,
      pop_connect: 1,
      router: [EXAMPLE.router_name],
    },
  }),
  enable: write('monitor/enable', 'monitor:create', {
    summary: 'Start monitoring',
    done: 'started',
    refreshes: [CONFIG],
  }),
  close: write('monitor/close', 'monitor:delete', {
    summary: 'Stop monitoring; open alerts end without a notice',
    done: 'closed',
    refreshes: [CONFIG, 'monitor/alerts'],
  }),
  routers: read('monitor/routers', 'monitor:view', {
    reads: 'near',
    summary: 'Devices that can be watched',
    output: z.array(member),
  }),
  alerts: read('monitor/alerts', 'monitor:view', {
    reads: 'near',
    summary: 'Alerts of the last 90 days, newest first',
    ...list({ row: alertRow, filters: alertFilters, counts: { open: z.int() } }),
  }),
  children: read('monitor/children', 'monitor:view', {
    reads: 'near',
    summary: 'Members that an alert explains, the first 500',
    input: z.object({ alert_id: alertId }),
    output: z.array(childRow),
    example: { alert_id: 'x' },
  }),
  acknowledge: write('monitor/acknowledge', 'monitor:edit', {
    summary: 'Acknowledge an open alert: no reminders, no escalation',
    input: z.object({ alert_id: alertId }),
    done: 'acknowledged',
    refreshes: ['monitor/alerts'],
    example: { alert_id: 'x' },
  }),
  deliveries: read('monitor/deliveries', 'monitor:view', {
    reads: 'near',
    summary: 'What was sent of alerts in the last 90 days, newest first',
    ...list({ row: deliveryRow, filters: deliveryFilters, counts: { paused: z.int() } }),
  }),
  unsent: read('monitor/unsent', 'monitor:view', {
    reads: 'near',
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
  mutes: read('monitor/mutes', 'monitor:view', {
    reads: 'near',
    summary: 'What is muted now',
    output: z.array(muteRow),
  }),
  mute: write('monitor/mute', 'monitor:edit', {
    summary: 'Send nothing of a member, a network or all for an hour, a day or a week',
    input: muteInput,
    done: 'muted',
    refreshes: ['monitor/mutes'],
    example: { kind: 'router', router_name: EXAMPLE.router_name, duration: 'hour' },
  }),
  unmute: write('monitor/unmute', 'monitor:edit', {
    summary: 'End a mute',
    input: z.object({ mute_id: numeric(z.int().positive()) }),
    done: 'unmuted',
    refreshes: ['monitor/mutes'],
    example: { mute_id: 1 },
  }),
} as const

/** Part of each question of the console to the account's hub. */
interface PageQuestion {
  /** Networks that the role is limited to; null for all. */
  readonly networks: readonly string[] | null
  readonly page: number
  readonly limit: number
}
export type AlertQuestion = PageQuestion & Pick<Parsed<typeof monitorApi.alerts>, 'search' | 'status' | 'rule'>
export interface AlertAnswer {
  readonly rows: readonly AlertRow[]
  readonly count: number
  readonly open: number
}
export interface DeliveryQuestion extends PageQuestion {
  readonly channel: AlertChannel | ''
  readonly state: DeliveryState | ''
  readonly alertId: string
  /** Mail address; '' for all. Missing in calls of a Worker of the previous release. */
  readonly target?: string
}
export interface DeliveryAnswer {
  readonly rows: readonly DeliveryRow[]
  readonly count: number
  /** Recipients of the asked channel that are paused after permanent failures. */
  readonly paused: number
}

export interface AlertTask {
  readonly kind: 'acknowledge' | 'resend'
  /** Id of the alert or delivery. */
  readonly target: string
  readonly networks: readonly string[] | null
}
export type AlertTaskState = 'unknown' | 'over' | 'done' | 'open'
