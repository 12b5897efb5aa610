import * as z from 'zod'
import { ALERT, ALERT_RULES, type AlertRule, DELAY_WRONG, SEVERITIES } from '#contract/monitor/alert.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import type { monitorApi, MonitorConfig } from '#contract/monitor/index.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'

/* Form of the settings of monitoring: schema, and conversion from and to the endpoint. */

const rule = z.object({
  on: z.boolean(),
  delay: z.int(DELAY_WRONG).min(0, DELAY_WRONG).max(ALERT.delayMaxMinutes, DELAY_WRONG),
  severity: z.enum(SEVERITIES),
})

const byRule = <T>(of: (name: AlertRule) => T) =>
  Object.fromEntries(ALERT_RULES.map((name) => [name, of(name)])) as Record<AlertRule, T>

/** Fields as the page shows them. Fields that a refusal can name have the names of the API. */
export const settingForm = z
  .object({
    email_confirm: z.boolean(),
    webhook_confirm: z.boolean(),
    contacts: z.array(z.string()),
    escalation: z.array(z.string()),
    rules: z.object(byRule(() => rule)),
    all_routers: z.boolean(),
    router: z.array(z.string()),
    quiet_on: z.boolean(),
    quiet_start: z.int(),
    quiet_end: z.int(),
  })
  .refine((form) => form.all_routers || form.router.length > 0, { path: ['router'], message: '请选择成员' })
export type SettingForm = z.infer<typeof settingForm>
export const SETTING_FIELDS = Object.keys(settingForm.shape) as (keyof SettingForm)[]
export type FormOfSettings = ContractForm<SettingForm, SettingForm>

export const toForm = (config: MonitorConfig): SettingForm => ({
  email_confirm: config.email_confirm === 1,
  webhook_confirm: config.webhook_confirm === 1,
  contacts: config.contacts,
  escalation: config.escalation,
  rules: byRule((name) => ({ on: config[name] === 1, ...config.rules[name] })),
  all_routers: config.all_routers === 1,
  router: config.router.map((one) => one.router_name),
  quiet_on: config.quiet.on === 1,
  quiet_start: config.quiet.start,
  quiet_end: config.quiet.end,
})

export const toSetting = (form: SettingForm): Input<typeof monitorApi.setting> => ({
  email_confirm: toWireBoolean(form.email_confirm),
  webhook_confirm: toWireBoolean(form.webhook_confirm),
  portal_confirm: 1,
  contacts: form.contacts,
  escalation: form.escalation,
  ...byRule((name) => toWireBoolean(form.rules[name].on)),
  all_routers: toWireBoolean(form.all_routers),
  router: form.all_routers ? [] : form.router,
  rules: byRule((name) => ({ delay: form.rules[name].delay, severity: form.rules[name].severity })),
  quiet: { on: toWireBoolean(form.quiet_on), start: form.quiet_start, end: form.quiet_end },
})
