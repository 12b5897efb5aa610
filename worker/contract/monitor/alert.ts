/* Rules, severities, channels and limits of alerts. */

/** Events that cause alerts, by their names on the wire (account 3, and three of ours). */
export const ALERT_RULES = [
  'router_online',
  'router_offline',
  'service_expired',
  'pop_connect',
  'flapping',
  'config_failed',
  'directory_sync',
] as const
export type AlertRule = (typeof ALERT_RULES)[number]

export const SEVERITIES = ['notice', 'warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const RULE_WORD: Readonly<Record<AlertRule, string>> = {
  router_online: '成员上线',
  router_offline: '成员离线',
  service_expired: '服务到期',
  pop_connect: 'POP连接断开',
  flapping: '成员抖动',
  config_failed: '配置异常',
  directory_sync: '目录同步异常',
}
export const SEVERITY_WORD: Readonly<Record<Severity, string>> = { notice: '提醒', warning: '警告', critical: '严重' }

export interface RuleSetting {
  readonly on: boolean
  /** Minutes for which a condition must last before it is an alert. */
  readonly delayMinutes: number
  readonly severity: Severity
}

export const RULE_DEFAULTS: Readonly<Record<AlertRule, RuleSetting>> = {
  router_online: { on: false, delayMinutes: 0, severity: 'notice' },
  router_offline: { on: true, delayMinutes: 3, severity: 'warning' },
  service_expired: { on: true, delayMinutes: 0, severity: 'critical' },
  pop_connect: { on: true, delayMinutes: 1, severity: 'warning' },
  flapping: { on: true, delayMinutes: 0, severity: 'notice' },
  config_failed: { on: true, delayMinutes: 0, severity: 'warning' },
  directory_sync: { on: true, delayMinutes: 0, severity: 'warning' },
}

export const isDefaultRule = (rule: AlertRule, { on, delayMinutes, severity }: RuleSetting): boolean => {
  const original = RULE_DEFAULTS[rule]
  return on === original.on && delayMinutes === original.delayMinutes && severity === original.severity
}

/** True for rules about a member. Other rules have other objects. */
export const isOfRouter = (rule: AlertRule): boolean =>
  rule !== 'service_expired' && rule !== 'pop_connect' && rule !== 'directory_sync'

/** True for an event of one moment (事件), which has no duration and no recovery. */
export const isInstant = (rule: AlertRule): boolean => rule === 'router_online'

/** Label of the objects that an alert of many concerns. */
export const foldedLabel = (rule: AlertRule): string => (rule === 'pop_connect' ? '涉及连接' : '涉及成员')

export type AlertStatus = 'open' | 'acknowledged' | 'recovered' | 'event'
export const STATUS_WORD: Readonly<Record<AlertStatus, string>> = {
  open: '未恢复',
  acknowledged: '已确认',
  recovered: '已恢复',
  event: '事件',
}

interface AlertTimes {
  readonly startedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
}

/** Status of a record. An event of one moment ends as it begins, so nothing of it recovers. */
export function alertStatus({ startedAt, endedAt }: AlertTimes, isAcknowledged: boolean): AlertStatus {
  if (endedAt === null) return isAcknowledged ? 'acknowledged' : 'open'
  return endedAt === startedAt ? 'event' : 'recovered'
}

/** Milliseconds of a condition that has ended; null while it lasts, and for an event of one moment. */
export const alertDurationMs = ({ startedAt, endedAt }: AlertTimes): number | null =>
  endedAt === null || endedAt === startedAt ? null : endedAt - startedAt

export const ALERT = {
  delayMaxMinutes: 60,
  suspectMs: 25_000, // after the probes of its points have failed, a suspected centre is an alert
  centerMs: 45_000, // after its last contact a lost centre is one, unless the rule was edited
  clearMs: 30_000, // for which presence may confirm a suspicion that its links no longer raise
  gatherMs: 5_000, // wait of an alert for others with the same cause
  spreadMs: 30_000, // wait if others are known: leases of devices that failed together end one by one
  causeMs: 300_000, // time around the end of a centre within which it explains members
  manyMin: 5, // number of members at once that are one alert, also without a common centre
  settleMs: 120_000, // time after the return of a centre from which an offline member is a separate alert
  remindMs: 14_400_000,
  serviceRemindMs: 86_400_000, // a renewal takes days
  escalateMs: 900_000,
  childrenShown: 10, // names in a message
  absencesKept: 100, // earlier ones of a member in one alert; the connection log has all
  keptDays: 90,
  sweepMs: 300_000, // between two checks of all leases if the rule "member offline" (成员离线) is on
} as const
export const remindMs = (rule: AlertRule): number =>
  rule === 'service_expired' ? ALERT.serviceRemindMs : ALERT.remindMs
export const DELAY_WRONG = `持续时间为0-${ALERT.delayMaxMinutes}分钟`

export const MUTE_HOURS = { hour: 1, day: 24, week: 168 } as const

export const ALERT_CHANNELS = ['site', 'mail', 'webhook'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

export const NOTICE_KINDS = ['open', 'reminder', 'escalation', 'recovery', 'digest', 'paused'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** `merged`: sent within another delivery. `skipped`: its channel was paused. `unsent`: its contact gets no mails. */
export const DELIVERY_STATES = ['pending', 'sent', 'failed', 'merged', 'skipped', 'unsent'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

interface Bucket {
  readonly size: number
  /** Time of the refill of one token, in milliseconds. */
  readonly refillMs: number
  /** Messages at once, before a pause of a second. */
  readonly perSecond?: number
}
export type BucketKind = 'dingtalk' | 'wechat' | 'feishu' | 'other' | 'mail' | 'site'

/**
 * Token buckets of channels. A full bucket and the refill of a minute are the limit of a robot per minute (integrations 1:
 * 20, 20 and 100, for Feishu 5 per second), less the tests of its address (`WEBHOOK.testRate`).
 */
export const BUCKETS: Readonly<Record<BucketKind, Bucket>> = {
  dingtalk: { size: 8, refillMs: 10_000 },
  wechat: { size: 8, refillMs: 10_000 },
  feishu: { size: 34, refillMs: 1_000, perSecond: 4 },
  other: { size: 100, refillMs: 600 },
  mail: { size: 10, refillMs: 60_000 }, // to one recipient
  site: { size: 1_000, refillMs: 1 },
}

export const ALERT_RETRY = {
  firstMs: 5_000,
  maxMs: 600_000,
  giveUpMs: 86_400_000,
  lastWordMs: 604_800_000, // a recovery is tried for so long, while the other side answers others
  probeMs: 3_600_000, // between tries of what is older than `giveUpMs`
  claimMs: 60_000, // before a try is repeated whose hub crashed
  failuresMax: 5, // permanent failures in a row that pause a channel
} as const
