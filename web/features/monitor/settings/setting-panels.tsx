import Switch from '@douyinfe/semi-ui/lib/es/switch'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Link } from 'react-router'
import { SENTENCE } from '#contract/kernel/result.ts'
import {
  ALERT_RULES,
  type AlertRule,
  isInstant,
  RULE_WORD,
  SEVERITIES,
  SEVERITY_WORD,
} from '#contract/monitor/alert.ts'
import type { MonitorConfig } from '#contract/monitor/index.ts'
import { paths } from '#lib/paths.ts'
import { useLatest } from '#lib/use-latest.ts'
import { confirmDiscard } from '#ui/dialog/confirm.tsx'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { SwitchField } from '#ui/form/inputs/switch-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { useMonitorRouters, useSetMonitor } from '../api.ts'
import { RULE_HELP, TIME_OPTIONS } from '../monitor-text.ts'
import { useMonitorRights } from '../rights.ts'
import { ContactsLine, WebhookLine } from './channel-lines.tsx'
import {
  type FormOfSettings,
  SETTING_FIELDS,
  type SettingForm,
  settingForm,
  toForm,
  toSetting,
} from './setting-form.ts'
import styles from './setting-panels.module.css'

/* Settings of monitoring as one form, which is sent whole. The webhook has a dialog with its own form. */

interface PartProps {
  readonly form: FormOfSettings
  /** A role limited to networks may change only the choice of its members. */
  readonly disabled: boolean
}

export function SettingPanels({ config }: { readonly config: MonitorConfig }) {
  const rights = useMonitorRights()
  const form: FormOfSettings = useContractForm(settingForm, toForm(config), {
    draft: { key: 'monitor', fields: SETTING_FIELDS },
  })
  const set = useSetMonitor()
  const disabled = !rights.edit || !rights.whole
  const { isDirty } = form.formState
  useLeaveGuard(isDirty, { query: true })
  useNewerSettings(form, config)
  const save = async (values: SettingForm) => {
    await set.trigger(toSetting(values))
    form.reset(values)
  }
  const cancel = async () => {
    if (!isDirty || (await confirmDiscard())) form.reset()
  }
  return (
    <div className={styles.page}>
      <Form form={form} onSubmit={save}>
        <div className={styles.columns}>
          <div>
            <Panel title="Webhook">
              <WebhookLine />
            </Panel>
            <Panel title="通知方式">
              <Channels form={form} disabled={disabled} config={config} />
            </Panel>
            <Panel title="监控成员">
              <Members form={form} disabled={disabled} canEdit={rights.edit} />
            </Panel>
          </div>
          <Panel title="告警事件">
            <div className={styles.fields}>
              {ALERT_RULES.map((rule) => (
                <Rule
                  key={rule}
                  rule={rule}
                  form={form}
                  disabled={disabled}
                  help={renderHelp(rule, rights.directory)}
                />
              ))}
            </div>
          </Panel>
        </div>
        {rights.edit && <FormActions isSticky submitText="保存" busy={form.busy} onCancel={() => void cancel()} />}
      </Form>
    </div>
  )
}

/** Merges settings that the webhook's dialog or another tab has saved; edits made here stay. */
function useNewerSettings(form: FormOfSettings, config: MonitorConfig): void {
  const read = JSON.stringify(config)
  const latest = useLatest({ form, config })
  const known = useRef(read)
  useEffect(() => {
    if (known.current === read) return
    known.current = read
    latest.current.form.merge(toForm(latest.current.config))
  }, [read, latest])
}

function Channels({ form, disabled, config }: PartProps & { readonly config: MonitorConfig }): ReactNode {
  const { control } = form
  const isQuiet = form.watch('quiet_on')
  const siteId = useId()
  return (
    <div className={styles.fields}>
      <div className="nl-field">
        <div className="nl-switch-row">
          <span id={siteId} className="nl-label">
            站内消息
          </span>
          <Switch aria-labelledby={siteId} checked disabled />
        </div>
      </div>
      <SwitchField
        control={control}
        name="email_confirm"
        label="邮件"
        help="发送到账号绑定的邮箱和已勾选的联系人"
        blocked={config.has_email === 1 ? null : SENTENCE.emailRequired}
        disabled={disabled}
      />
      {form.watch('email_confirm') && <ContactsLine form={form} disabled={disabled} />}
      <SwitchField
        control={control}
        name="webhook_confirm"
        label="Webhook"
        help="发送到钉钉、飞书、企业微信或自建服务"
        blocked={config.has_webhook === 1 ? null : SENTENCE.webhookRequired}
        disabled={disabled}
      />
      <SwitchField
        control={control}
        name="quiet_on"
        label="免打扰时段"
        help="时段内不发送邮件和Webhook，结束后补发；严重告警不受限制"
        disabled={disabled}
      />
      {isQuiet && (
        <div className={styles.pair}>
          <SelectField control={control} name="quiet_start" label="开始" options={TIME_OPTIONS} disabled={disabled} />
          <SelectField control={control} name="quiet_end" label="结束" options={TIME_OPTIONS} disabled={disabled} />
        </div>
      )}
    </div>
  )
}

const SEVERITY_OPTIONS = SEVERITIES.map((severity) => ({ value: severity, label: SEVERITY_WORD[severity] }))

/** Help text of an event; the text of the directory links to its configuration (directory 2). */
const renderHelp = (rule: AlertRule, seesDirectory: boolean): ReactNode =>
  rule === 'directory_sync' && seesDirectory ? (
    <>
      {RULE_HELP[rule]}。<Link to={paths.editLdap('edit')}>LDAP配置</Link>
    </>
  ) : (
    RULE_HELP[rule]
  )

function Rule({ rule, form, disabled, help }: PartProps & { readonly rule: AlertRule; readonly help: ReactNode }) {
  const { control } = form
  const isOn = form.watch(`rules.${rule}.on`)
  return (
    <div className={styles.rule}>
      <SwitchField
        control={control}
        name={`rules.${rule}.on`}
        label={RULE_WORD[rule]}
        help={help}
        disabled={disabled}
      />
      {isOn && (
        <div className={styles.pair}>
          {!isInstant(rule) && (
            <NumberField
              control={control}
              name={`rules.${rule}.delay`}
              label="持续时间"
              suffix="分钟"
              disabled={disabled}
            />
          )}
          <SelectField
            control={control}
            name={`rules.${rule}.severity`}
            label="级别"
            options={SEVERITY_OPTIONS}
            disabled={disabled}
          />
        </div>
      )}
    </div>
  )
}

function Members({ form, disabled, canEdit }: PartProps & { readonly canEdit: boolean }) {
  const { control } = form
  const routers = useMonitorRouters()
  const isForAll = form.watch('all_routers')
  return (
    <div className={styles.fields}>
      <SwitchField control={control} name="all_routers" label="全部成员（含以后新增）" disabled={disabled} />
      {!isForAll && (
        <SelectField
          control={control}
          name="router"
          label="成员"
          required
          multiple
          searchable
          placeholder="请选择成员"
          options={(routers.data?.data ?? []).map((one) => ({
            value: one.router_name,
            label: one.note === '' ? one.router_name : `${one.note}（${one.router_name}）`,
          }))}
          disabled={!canEdit}
        />
      )}
    </div>
  )
}
