import { useCallback, useEffect, useMemo } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { RESULT } from '../../../../worker/contract/errors.ts'
import { ROUTER_TYPE, STATUS_POLL_MS } from '../../../../worker/contract/limits.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { CHANNEL_DOWN } from '../../../lib/live.ts'
import { toast } from '../../../lib/toast.ts'
import { useQuery, useRefresh } from '../../../lib/use-endpoint.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { ChannelNotice } from '../parts/channel-notice.tsx'
import { InterfaceCharts } from '../parts/interface-charts.tsx'
import { InterfaceTable } from '../parts/interface-table.tsx'
import { RouterHead } from '../parts/router-head.tsx'
import { RouterPanels } from '../parts/router-panels.tsx'
import { inOrder, LISTS_PATH, type RouterInfo, silenceText } from '../router-text.ts'
import { type RouterLive, useRouterLive } from '../use-router-live.ts'

export function RouterDetailPage() {
  const routerName = useSearchParams()[0].get('router_name') ?? ''
  if (routerName === '') return <Navigate to={LISTS_PATH} replace />
  return <RouterDetail key={routerName} routerName={routerName} />
}

function RouterDetail({ routerName }: { readonly routerName: string }) {
  const refresh = useRefresh()
  const live = useRouterLive(routerName, () => refresh([routerApi.info]))
  const isDown = live.channel === 'down'
  const { data, error, mutate } = useQuery(
    routerApi.info,
    { router_name: routerName },
    { quiet: true, pollMs: isDown ? STATUS_POLL_MS : 0 },
  )
  const reload = useCallback(() => void mutate(), [mutate]) // a click's event must not become the data
  useEffect(() => {
    if (isDown) reload()
  }, [isDown, reload])
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} />
  if (data === undefined) {
    return <Panel>{error === undefined ? <Skeleton lines={8} /> : <ErrorState error={error} onRetry={reload} />}</Panel>
  }
  const info = data.data
  if (info.router_type === ROUTER_TYPE.software) {
    const query = new URLSearchParams({ type: String(ROUTER_TYPE.software), search: routerName })
    return <Navigate to={`${LISTS_PATH}?${query}`} replace />
  }
  return <Equipment info={info} live={live} isCutOff={error !== undefined} onReload={reload} />
}

/** 204 leads to the member list (network 8), whether at the start or because somebody has just deleted it. */
function Gone({ message }: { readonly message: string }) {
  useEffect(() => toast.error(message), [message])
  return <Navigate to={LISTS_PATH} replace />
}

interface EquipmentProps {
  readonly info: RouterInfo
  readonly live: RouterLive
  /** The last try to read it again failed. */
  readonly isCutOff: boolean
  readonly onReload: () => void
}

function Equipment({ info, live, isCutOff, onReload }: EquipmentProps) {
  const isDown = live.channel === 'down'
  const states = isDown || live.states === null ? info : live.states
  const silence = isDown ? CHANNEL_DOWN : silenceText(states.presence)
  const interfaces = useMemo(() => inOrder(info.interfaces), [info.interfaces])

  // Traffic of an interface that is not listed: the device has changed since it was read.
  const known = new Set(info.interfaces.map((entry) => entry.interface))
  const unknown = Object.keys(live.window)
    .filter((name) => !known.has(name))
    .join()
  useEffect(() => {
    if (unknown !== '') onReload()
  }, [unknown, onReload])

  return (
    <>
      <RouterHead info={info} states={states} isStale={isDown} />
      <ChannelNotice channel={live.channel} isCutOff={isCutOff} />
      <RouterPanels info={info} states={states} isStale={isDown} />
      <Panel title="接口设置">
        <InterfaceTable interfaces={interfaces} silence={silence} onRetry={onReload} />
      </Panel>
      <InterfaceCharts interfaces={interfaces} window={live.window} silence={silence} />
    </>
  )
}
