import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { CopyText } from '../../../ui/copy-text.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ConfigBadge } from '../../../ui/member-badges.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import type { MemberStates } from '../member-states.ts'
import type { RouterInfo } from '../router-text.ts'
import { NetworkCarousel } from './network-carousel.tsx'
import { presenceFacts } from './presence-facts.tsx'
import styles from './router-panels.module.css'

interface RouterPanelsProps {
  readonly info: RouterInfo
  readonly states: MemberStates
  readonly isStale: boolean
}

/** Device, state and networks. */
export function RouterPanels({ info, states, isStale }: RouterPanelsProps) {
  return (
    <div className={styles.panels}>
      <Panel title="基本信息">
        <Facts
          facts={[
            { label: '序列号', value: <CopyText text={info.router_name} label="复制序列号" /> },
            { label: '型号', value: info.router_model || '—' },
            { label: 'IPv4', value: copied(info.router_ipv4, '复制 IPv4') },
            { label: 'MAC', value: copied(info.router_mac, '复制 MAC') },
            { label: '版本', value: info.version || '—' },
            { label: '创建时间', value: <TimeText at={info.create_time} /> },
          ]}
        />
      </Panel>
      <NetworkStatus states={states} isStale={isStale} />
      <Panel title="所属组网" actions={<Link to={paths.networks()}>组网列表</Link>}>
        <NetworkCarousel networks={info.network} />
      </Panel>
    </div>
  )
}

function NetworkStatus({ states: { presence, config }, isStale }: Omit<RouterPanelsProps, 'info'>) {
  return (
    <Panel title="网络状态">
      <Facts
        facts={[
          ...presenceFacts(presence, isStale),
          { label: '配置状态', value: <ConfigBadge config={config} isStale={isStale} /> },
          { label: '配置版本', value: versionText(config) },
          ...(config.reason === '' ? [] : [{ label: '配置说明', value: config.reason }]),
        ]}
      />
    </Panel>
  )
}

function copied(text: string, label: string): ReactNode {
  return text === '' ? '—' : <CopyText text={text} label={label} />
}

function versionText({ state, version, applied_version }: MemberStates['config']): string {
  if (state === 'none') return '—'
  if (applied_version === version) return String(version)
  return `${version}（设备上为 ${applied_version ?? '无'}）`
}
