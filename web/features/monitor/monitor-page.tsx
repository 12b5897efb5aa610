import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Tabs } from '#ui/layout/tabs.tsx'
import { AlertList } from './alerts/alert-list.tsx'
import { DeliveryList } from './alerts/delivery-list.tsx'
import { MuteList } from './settings/mute-list.tsx'
import { SettingTab } from './settings/setting-tab.tsx'

const TABS = [
  { value: 'setting', label: '设置' },
  { value: 'alerts', label: '告警记录' },
  { value: 'deliveries', label: '投递记录' },
  { value: 'mutes', label: '静默' },
] as const
type Tab = (typeof TABS)[number]['value']

const VIEWS = { setting: SettingTab, alerts: AlertList, deliveries: DeliveryList, mutes: MuteList } as const

/** Monitoring and alerts of the account (account 2); the tab is part of the address. */
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
