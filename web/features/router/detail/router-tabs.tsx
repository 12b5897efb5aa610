import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Panel } from '#ui/layout/panel.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { ActualRoutes } from '#ui/member/routes/actual-routes.tsx'
import { RoutesChoice } from '#ui/member/routes/routes-choice.tsx'
import { TunnelTable } from '#ui/member/tunnels/tunnel-table.tsx'
import { NO_NETWORK, type RouterInfo } from '../router-text.ts'
import { RouterDiagnosis } from './router-diagnosis.tsx'

/* Tabs of the page of a router. Its tunnels, routes and diagnoses are shown in one network at a time. */

const TABS = [
  { value: 'overview', label: '概览' },
  { value: 'tunnels', label: '隧道' },
  { value: 'routes', label: '路由' },
  { value: 'diagnosis', label: '诊断' },
] as const
type RouterTab = (typeof TABS)[number]['value']

/** Tab in the address. */
function useRouterTab(): readonly [RouterTab, (tab: RouterTab) => void] {
  const [query, setQuery] = useSearchParams()
  const tab = TABS.find(({ value }) => value === query.get('tab'))?.value ?? 'overview'
  const setTab = (next: RouterTab) => {
    const to = new URLSearchParams(query)
    if (next === 'overview') to.delete('tab')
    else to.set('tab', next)
    setQuery(to, { replace: true })
  }
  return [tab, setTab]
}

/** `children` is the overview. */
export function RouterTabs({ info, children }: { readonly info: RouterInfo; readonly children: ReactNode }) {
  const [tab, setTab] = useRouterTab()
  return (
    <Tabs label="成员的内容" value={tab} options={TABS} onChange={setTab}>
      {tab === 'overview' && children}
      {tab === 'tunnels' && (
        <OfNetwork info={info}>
          {(networkNumber) => <TunnelTable networkNumber={networkNumber} routerName={info.router_name} />}
        </OfNetwork>
      )}
      {tab === 'routes' && (
        <OfNetwork info={info}>
          {(networkNumber) => <ActualRoutes networkNumber={networkNumber} routerName={info.router_name} />}
        </OfNetwork>
      )}
      {tab === 'diagnosis' && (
        <OfNetwork info={info}>
          {(networkNumber) => <RouterDiagnosis networkNumber={networkNumber} routerName={info.router_name} />}
        </OfNetwork>
      )}
    </Tabs>
  )
}

interface OfNetworkProps {
  readonly info: RouterInfo
  readonly children: (networkNumber: string) => ReactNode
}

/** Content about one of the router's networks, which is chosen if there are several. */
function OfNetwork({ info: { network: networks }, children }: OfNetworkProps) {
  const [chosen, setChosen] = useState('')
  const number = (networks.find(({ network_number }) => network_number === chosen) ?? networks[0])?.network_number
  if (number === undefined) return <Panel>{NO_NETWORK}</Panel>
  return (
    <Panel>
      {networks.length > 1 && (
        <RoutesChoice
          label="组网"
          value={number}
          onChange={setChosen}
          options={networks.map(({ network_number, network_name }) => ({ value: network_number, label: network_name }))}
        />
      )}
      <div key={number}>{children(number)}</div>
    </Panel>
  )
}
