import { ALERT_RULES, type AlertRule, RULE_DEFAULTS, type RuleSetting, isOfRouter } from '#contract/monitor/alert.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { type AlertSettings, type Mute, type Subject, isOfMany } from './state.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Settings of monitoring (监控告警): their stored form, checks of a change, and their effect on an alert. */

export type Rules = Readonly<Record<AlertRule, RuleSetting>>

export interface MonitorSettings {
  readonly enabled: boolean
  readonly emailConfirm: boolean
  readonly webhookConfirm: boolean
  readonly allRouters: boolean
  readonly rules: Rules
  /** Minutes of the day in Asia/Shanghai; they may go past midnight. */
  readonly quiet: { readonly on: boolean; readonly start: number; readonly end: number }
  /** Ids of mailed contacts, and of further ones for alerts that nobody acknowledges. */
  readonly contacts: readonly string[]
  readonly escalation: readonly string[]
}

/** Columns of monitor_settings; all null if the account has no row. */
export interface MonitorColumns {
  readonly enabled: number | null
  readonly emailConfirm: number | null
  readonly webhookConfirm: number | null
  readonly allRouters: number | null
  readonly rules: string | null
  readonly quietOn: number | null
  readonly quietStart: number | null
  readonly quietEnd: number | null
  readonly contacts: string | null
  readonly escalation: string | null
}

export function toMonitorSettings(row: MonitorColumns): MonitorSettings {
  return {
    enabled: row.enabled === 1,
    emailConfirm: row.emailConfirm === 1,
    webhookConfirm: row.webhookConfirm === 1,
    allRouters: row.allRouters !== 0,
    rules: { ...RULE_DEFAULTS, ...(JSON.parse(row.rules ?? '{}') as Partial<Rules>) },
    quiet: { on: row.quietOn === 1, start: row.quietStart ?? 1320, end: row.quietEnd ?? 480 },
    contacts: JSON.parse(row.contacts ?? '[]') as string[],
    escalation: JSON.parse(row.escalation ?? '[]') as string[],
  }
}

export const toAlertSettings = (
  settings: MonitorSettings,
  routers: readonly string[],
  mutes: readonly Mute[],
): AlertSettings => ({
  enable: settings.enabled,
  rules: settings.rules,
  routers: settings.allRouters ? null : routers,
  mutes,
  canEscalate: settings.escalation.length > 0,
})

/** Account 4: a channel needs a recipient to be switched on; one that is on already stays on. */
export function checkChannels(
  before: MonitorSettings,
  after: Pick<MonitorSettings, 'emailConfirm' | 'webhookConfirm'>,
  has: { readonly email: boolean; readonly webhook: boolean },
): Violation | null {
  if (after.emailConfirm && !before.emailConfirm && !has.email) return violation('MONITOR_EMAIL_REQUIRED')
  return after.webhookConfirm && !before.webhookConfirm && !has.webhook ? violation('MONITOR_WEBHOOK_REQUIRED') : null
}

interface RouterSelection {
  /** Undefined from clients without this switch: a list of members switches it off. */
  readonly allRouters: boolean | undefined
  readonly routers: readonly string[]
}

/** Account 3: with 全部成员 (all members) off, an empty list is refused. */
export function checkRouterSelection(
  before: MonitorSettings,
  { allRouters, routers }: RouterSelection,
): Violation | null {
  return !isForAll(before, { allRouters, routers }) && routers.length === 0
    ? violation('MONITOR_ROUTERS_REQUIRED')
    : null
}

export const isForAll = (before: MonitorSettings, { allRouters, routers }: RouterSelection): boolean =>
  allRouters ?? (routers.length > 0 ? false : before.allRouters)

/** A role limited to networks chooses among its own members; other chosen members stay. */
export const mergeRouterSelection = (
  before: readonly string[],
  sent: readonly string[],
  isOwn: (routerName: string) => boolean,
): readonly string[] => [...new Set([...before.filter((name) => !isOwn(name)), ...sent])]

/** True if at most the choice of members differs. All other settings concern the whole account. */
export const isSameForAccount = (a: MonitorSettings, b: MonitorSettings): boolean =>
  a.emailConfirm === b.emailConfirm &&
  a.webhookConfirm === b.webhookConfirm &&
  a.allRouters === b.allRouters &&
  isSameJson([a.quiet, a.contacts, a.escalation], [b.quiet, b.contacts, b.escalation]) &&
  ALERT_RULES.every((rule) => isSameRule(a.rules[rule], b.rules[rule]))

const isSameRule = (a: RuleSetting, b: RuleSetting): boolean =>
  a.on === b.on && a.delayMinutes === b.delayMinutes && a.severity === b.severity

/** Services are watched also while monitoring is off (account 3). */
export function isWatched({ enable, rules, routers }: AlertSettings, rule: AlertRule, object: string): boolean {
  if (!rules[rule].on || (!enable && rule !== 'service_expired')) return false
  return routers === null || !isOfRouter(rule) || isOfMany(object) || routers.includes(object)
}

/** End of the mute of a subject; null if it is not muted. */
export function mutedUntil({ mutes }: AlertSettings, { object, networks }: Subject, now: number): number | null {
  const until = mutes
    .filter(
      ({ kind, target }) =>
        kind === 'all' ||
        (kind === 'router' ? target === object : networks.length > 0 && networks.every((n) => n === target)),
    )
    .map((mute) => mute.until)
  const latest = Math.max(0, ...until)
  return latest > now ? latest : null
}

/** End of the quiet hours that contain `now`; null outside of them. */
export function quietUntil({ on, start, end }: MonitorSettings['quiet'], now: number, offsetMs: number): number | null {
  if (!on || start === end) return null
  const midnight = Math.floor((now + offsetMs) / DAY_MS) * DAY_MS - offsetMs
  const minute = (now - midnight) / 60_000
  const at = (minutes: number, day = 0) => midnight + minutes * 60_000 + day * DAY_MS
  if (start < end) return minute >= start && minute < end ? at(end) : null
  if (minute >= start) return at(end, 1)
  return minute < end ? at(end) : null
}
