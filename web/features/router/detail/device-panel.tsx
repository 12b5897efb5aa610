import type { ReactNode } from 'react'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import type { RouterInfo } from '../router-text.ts'
import styles from './router-detail-page.module.css'

/** Panel of the facts of a device. The header has its name and state, the charts have the addresses of interfaces. */
export function DevicePanel({ info }: { readonly info: RouterInfo }) {
  const { router_ipv4: ip, router_mac: mac, interfaces } = info
  const hasIp = interfaces.some((port) => port.ip === ip)
  const hasMac = interfaces.some((port) => port.mac === mac)
  return (
    <Panel title="设备">
      <div className={styles.facts}>
        <Facts
          facts={[
            { label: '型号', value: info.router_model || '—' },
            { label: '版本', value: info.version || '—' },
            { label: '公网 IP', value: copied(info.remote_ip, '复制公网 IP') },
            ...(ip === '' || hasIp ? [] : [{ label: 'WAN IP', value: copied(ip, '复制 WAN IP') }]),
            ...(mac === '' || hasMac ? [] : [{ label: 'MAC', value: copied(mac, '复制 MAC') }]),
            { label: '创建时间', value: <TimeText at={info.create_time} /> },
          ]}
        />
        {info.endpoint_list.length > 0 && <EndpointList endpoints={info.endpoint_list} />}
      </div>
    </Panel>
  )
}

const SOURCE: Readonly<Record<RouterInfo['endpoint_list'][number]['source'], string>> = {
  chosen: '设置',
  flag: '设备设置',
  reported: '上报',
  seen: '观测',
}

/** Addresses at which other members dial the device, in their order. */
function EndpointList({ endpoints }: { readonly endpoints: RouterInfo['endpoint_list'] }) {
  return (
    <>
      <h3 className={styles.title}>接入地址</h3>
      <ol className={styles.endpoints} aria-label="接入地址">
        {endpoints.map(({ host, source, reached }) => (
          <li key={host}>
            <CopyText text={host} label="复制接入地址" />
            <span className="nl-muted">
              {SOURCE[source]}
              {reached === 1 && ' · 探测可达'}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function copied(text: string, label: string): ReactNode {
  return text === '' ? '—' : <CopyText text={text} label={label} />
}
