import { ALERT_RULES, type AlertRule } from '#contract/monitor/alert.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { MonitorConfig } from '#contract/monitor/monitor.ts'
import { batch } from '#db/batch.ts'
import { toMonitorSettings } from '#domain/monitor/settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { isAccount, selectDevices, selectChosenRouters, selectMonitor } from './sql.ts'

/** Settings of the account, the members that are chosen, and those that the caller sees. */
export async function requireMonitor(ctx: Ctx) {
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

export async function listDevices(ctx: Ctx): Promise<{ router_name: string; note: string }[]> {
  const rows = await selectDevices(ctx.db, requireSession(ctx))
  return rows.map(({ router_name, note }) => ({ router_name, note }))
}
