import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { AlertList, DeliveryList } from './alerts/record-lists.tsx'
import { useCloseMonitor, useEnableMonitor, useMonitorConfig } from './api.ts'
import { useMonitorRights } from './rights.ts'
import { MuteList } from './settings/mute-list.tsx'
import { SettingPanels } from './settings/setting-panels.tsx'

/* Page of monitoring and alerts of the account (account 2); the tab is part of the address. */

const TABS = [
  { value: 'setting', label: '设置' },
  { value: 'alerts', label: '告警记录' },
  { value: 'deliveries', label: '投递记录' },
  { value: 'mutes', label: '静默' },
] as const
type Tab = (typeof TABS)[number]['value']

const VIEWS = { setting: SettingTab, alerts: AlertList, deliveries: DeliveryList, mutes: MuteList } as const

export function MonitorPage() {
  const [query, setQuery] = useSearchParams()
  const tab = TABS.find(({ value }) => value === query.get('tab'))?.value ?? 'setting'
  const View = VIEWS[tab]
  const inTab = (content: ReactNode) => (
    <Tabs<Tab>
      label="监控告警"
      value={tab}
      options={TABS}
      onChange={(next) => setQuery(next === 'setting' ? {} : { tab: next })}
    >
      {content}
    </Tabs>
  )
  return <View key={tab} inTab={inTab} />
}

function SettingTab({ inTab }: { readonly inTab: (content: ReactNode) => ReactNode }) {
  const query = useMonitorConfig()
  const rights = useMonitorRights()
  const enable = useEnableMonitor()
  const close = useCloseMonitor()
  const config = query.data?.data
  const start = () =>
    confirm({
      title: '启动监控告警？',
      body: '启动后，成员离线、配置异常等事件会发送站内消息；邮件和Webhook可以在设置中开启。现在已经离线的成员不会告警。',
      verb: '启动',
      run: () => enable.trigger({}),
    })
  const stop = () =>
    confirm({
      title: '关闭监控告警？',
      body: '关闭后只通知服务到期，未恢复的告警会结束，不再发送通知。设置会保留。',
      verb: '关闭',
      danger: true,
      run: () => close.trigger({}),
    })
  const content = () => {
    if (config === undefined)
      return (
        <Panel>
          <Loading query={query} />
        </Panel>
      )
    if (config.enable === 1) return <SettingPanels config={config} />
    return (
      <Panel>
        <NothingYet
          title="监控告警未启动"
          hint="启动后，成员离线、POP连接断开、配置异常时会通知您。"
          action={rights.start && <PrimaryButton onClick={() => void start()}>启动监控</PrimaryButton>}
        />
      </Panel>
    )
  }
  return (
    <FailureStrip>
      <PageHeader
        title="监控告警"
        facts={config === undefined ? undefined : config.enable === 1 ? '监控已启动' : '监控未启动'}
        actions={
          config?.enable === 1 &&
          rights.close && (
            <Button type="danger" onClick={() => void stop()}>
              关闭监控
            </Button>
          )
        }
      />
      {inTab(content())}
    </FailureStrip>
  )
}
