import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { addressText, PROTOCOL_NAME, type RouterInterface } from '#pages/router/router-text.ts'
import styles from './interface-settings.module.css'

interface InterfaceSettingsProps {
  readonly port: RouterInterface
  /** Reason why the interface's state is unknown, or null. */
  readonly silence: string | null
}

/** Settings of one interface that a device reports (network 2); unreported ones are left out. */
export function InterfaceSettings({ port, silence }: InterfaceSettingsProps) {
  const { interface: name, up, protocol, mtu, mac, interface_uuid: uuid } = port
  const address = addressText(port)
  const state =
    silence === null ? <LinkBadge state={up ? 'up' : 'down'} /> : <LinkBadge state="unknown" reason={silence} />
  const facts: readonly Fact[] = [
    { label: '状态', value: state },
    { label: '协议', value: PROTOCOL_NAME[protocol] },
    { label: 'IP 地址', value: address === '' ? '—' : <CopyText text={address} label="复制 IP 地址" /> },
    ...(mtu === 0 ? [] : [{ label: 'MTU', value: mtu }]),
    ...(mac === '' ? [] : [{ label: 'MAC 地址', value: <span className="nl-mono">{mac}</span> }]),
    ...(uuid === '' ? [] : [{ label: '接口标识', value: <span className="nl-mono">{uuid}</span> }]),
  ]
  return (
    <div className={styles.settings} role="group" aria-label={`${name} 接口设置`}>
      <Facts facts={facts} />
    </div>
  )
}
