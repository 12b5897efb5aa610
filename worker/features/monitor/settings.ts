import { ALERT_RULES, type AlertRule } from '#contract/monitor/alert.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import {
  type MonitorSettings,
  type Rules,
  checkChannels,
  checkRouterSelection,
  isForAll,
  isSameForAccount,
  mergeRouterSelection,
  toMonitorSettings,
} from '#domain/monitor/settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import {
  saveRouterSelection,
  saveSettings,
  isAccount,
  selectDevices,
  selectChosenRouters,
  selectMonitor,
} from './sql.ts'
import type { monitorApi } from '#contract/monitor/index.ts'
import type { MonitorConfig } from '#contract/monitor/monitor.ts'

/* Settings of monitoring (监控告警) of an account: read, changed, turned on and off. */

/** Reads the account's settings, the chosen members, and the members that the caller sees. */
async function requireMonitor(ctx: Ctx) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, {
    accounts: selectMonitor(db, isAccount(scope)),
    chosen: selectChosenRouters(db, isAccount(scope)),
    devices: selectDevices(db, scope),
  })
  const account = found.accounts[0] ?? refuse('SESSION_REVOKED')
  const seen = new Set(found.devices.map((device) => device.router_name))
  return { account, settings: toMonitorSettings(account), chosen: found.chosen, seen }
}

export async function readConfig(ctx: Ctx): Promise<MonitorConfig> {
  const { account, settings, chosen, seen } = await requireMonitor(ctx)
  const ofRules = <T>(value: (rule: AlertRule) => T) =>
    Object.fromEntries(ALERT_RULES.map((rule) => [rule, value(rule)])) as Record<AlertRule, T>
  return {
    enable: toWireBoolean(settings.enabled),
    portal_confirm: 1,
    email_confirm: toWireBoolean(settings.emailConfirm),
    webhook_confirm: toWireBoolean(settings.webhookConfirm),
    ...ofRules((rule) => toWireBoolean(settings.rules[rule].on)),
    all_routers: toWireBoolean(settings.allRouters),
    router: settings.allRouters ? [] : chosen.filter(({ router_name }) => seen.has(router_name)),
    rules: ofRules((rule) => ({ delay: settings.rules[rule].delayMinutes, severity: settings.rules[rule].severity })),
    quiet: { ...settings.quiet, on: toWireBoolean(settings.quiet.on) },
    contacts: [...settings.contacts],
    escalation: [...settings.escalation],
    has_email: toWireBoolean(account.email !== null),
    has_webhook: toWireBoolean(account.webhookType !== null),
  }
}

export const listDevices = async (ctx: Ctx) => selectDevices(ctx.db, requireSession(ctx))

type SettingInput = Parsed<(typeof monitorApi)['setting']>

/** Changes the settings. A role limited to networks may only change the choice among its own members. */
export async function setMonitor(ctx: Ctx, sent: SettingInput): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const { account, settings: before, chosen, seen: own } = await requireMonitor(ctx)
  if (sent.router.some((name) => !own.has(name))) refuse('ROUTER_NOT_FOUND')
  const after = withInput(before, sent)
  const isLimited = scope.grants.networks !== null
  if (isLimited && !isSameForAccount(before, after)) refuse('MONITOR_LIMITED')
  throwIf(checkChannels(before, after, { email: account.email !== null, webhook: account.webhookType !== null }))
  const was = chosen.map((one) => one.router_name)
  const names = after.allRouters ? [] : mergeRouterSelection(was, sent.router, (name) => own.has(name))
  if (!isLimited) throwIf(checkRouterSelection(before, toRouterSelection(sent)))
  if (!after.allRouters && names.length === 0) refuse('MONITOR_ROUTERS_REQUIRED')
  const isSameSelection = isSameJson(names.toSorted(), was.toSorted())
  if (isSameForAccount(before, after) && isSameSelection) return
  await batch(db, {
    settings: saveSettings(db, scope.accountId, after, now),
    ...saveRouterSelection(db, scope.accountId, names),
    audit: auditRow(ctx, {
      module: 'monitor',
      action: 'setting',
      target: '',
      message: '修改监控告警设置',
      before: toAudited(before, was),
      after: toAudited(after, names),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
}

const toRouterSelection = ({ all_routers, router }: SettingInput) => ({
  allRouters: all_routers === undefined ? undefined : all_routers === 1,
  routers: router,
})

function withInput(before: MonitorSettings, sent: SettingInput): MonitorSettings {
  const rules = Object.fromEntries(
    ALERT_RULES.map((rule) => {
      const [was, detail, flag] = [before.rules[rule], sent.rules?.[rule], sent[rule]]
      return [
        rule,
        {
          on: flag === undefined ? was.on : flag === 1,
          delayMinutes: detail?.delay ?? was.delayMinutes,
          severity: detail?.severity ?? was.severity,
        },
      ]
    }),
  ) as unknown as Rules
  return {
    ...before,
    emailConfirm: sent.email_confirm === 1,
    webhookConfirm: sent.webhook_confirm === 1,
    allRouters: isForAll(before, toRouterSelection(sent)),
    rules,
    quiet: sent.quiet === undefined ? before.quiet : { ...sent.quiet, on: sent.quiet.on === 1 },
    contacts: sent.contacts ?? before.contacts,
    escalation: sent.escalation ?? before.escalation,
  }
}

/** Settings for the audit row, with a number instead of thousands of names. */
const toAudited = ({ allRouters, ...settings }: MonitorSettings, names: readonly string[]) => ({
  ...settings,
  members: allRouters ? '全部成员' : names.length > 50 ? `${names.length}个成员` : names,
})

export const enableMonitor = (ctx: Ctx): Promise<void> => switchMonitor(ctx, true)

export const closeMonitor = (ctx: Ctx): Promise<void> => switchMonitor(ctx, false)

async function switchMonitor(ctx: Ctx, enabled: boolean): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  if (scope.grants.networks !== null) refuse('MONITOR_LIMITED')
  const [account = refuse('SESSION_REVOKED')] = await selectMonitor(db, isAccount(scope))
  const before = toMonitorSettings(account)
  if (before.enabled === enabled) return
  await batch(db, {
    settings: saveSettings(db, scope.accountId, { ...before, enabled }, now),
    audit: auditRow(ctx, {
      module: 'monitor',
      action: enabled ? 'enable' : 'close',
      target: '',
      message: enabled ? '启动监控告警' : '关闭监控告警',
      before: { enabled: before.enabled },
      after: { enabled },
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
}
