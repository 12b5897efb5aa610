import { memberLabel } from '#lib/format/member-label.ts'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import type { LdapConfig } from '../api.ts'
import { MODE_WORD, syncModeWord } from '../ldap-text.ts'

interface ConfigPanelProps {
  readonly config: LdapConfig
  /** Warnings of the server about the configuration. */
  readonly notices: readonly string[]
}

/** Saved configuration, read-only (section directory 2); the bind password is never sent to the browser. */
export function ConfigPanel({ config, notices }: ConfigPanelProps) {
  return (
    <Panel title="接入配置">
      {notices.map((sentence) => (
        <Notice key={sentence} role="alert" tone="warn">
          {sentence}
        </Notice>
      ))}
      <Facts facts={toFacts(config)} />
    </Panel>
  )
}

const ENCRYPTED = (config: LdapConfig): string =>
  config.use_ssl === 1 ? 'SSL（LDAPS）' : config.use_tls === 1 ? 'StartTLS' : '未启用'

function toFacts(config: LdapConfig): readonly Fact[] {
  const isEncrypted = config.use_ssl === 1 || config.use_tls === 1
  const optional = (label: string, value: string): readonly Fact[] => (value === '' ? [] : [{ label, value }])
  return [
    { label: '模式', value: MODE_WORD[config.mode] },
    ...(config.mode === 'private'
      ? [{ label: '硬件设备', value: memberLabel({ router_name: config.router_name, note: config.router_note }) }]
      : []),
    { label: '域名', value: config.domain },
    { label: '地址', value: config.host },
    { label: '端口', value: config.port },
    { label: 'Base DN', value: config.base_dn },
    { label: '加密', value: ENCRYPTED(config) },
    ...(isEncrypted ? [{ label: 'CA证书', value: config.public_ca === 1 ? '公共CA' : config.file_name }] : []),
    ...optional('证书名称', config.certificate_name),
    { label: '用户名', value: config.username },
    { label: '密码', value: '******' },
    ...optional('用户过滤条件', config.user_filter),
    ...optional('用户名属性', config.username_attribute),
    ...optional('手机号属性', config.phone_attribute),
    { label: '关联组网', value: config.network_name || '未关联' },
    { label: '同步方式', value: syncModeWord(config.sync_mode) },
  ]
}
