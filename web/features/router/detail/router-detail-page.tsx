import { memo, useCallback, useEffect } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { FailureStrip, useReportedFailure } from '#ui/state/failure-strip.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, Gone } from '#ui/state/page-states.tsx'
import { useRefreshRouters, useRouterInfo } from '../api.ts'
import { RouterDialogs } from './router-dialogs.tsx'
import type { MemberStates } from '../member-states.ts'
import { DevicePanel } from './device-panel.tsx'
import { NetworkCarousel } from './network-carousel.tsx'
import { NetworkRows } from './network-rows.tsx'
import { InterfaceCharts } from './traffic/interface-charts.tsx'
import { RouterHead } from './router-head.tsx'
import { RouterLinks } from './router-links.tsx'
import { RouterTabs } from './router-tabs.tsx'
import { type RouterInfo, silenceText } from '../router-text.ts'
import { RouterLiveContext, useRouterLive } from './use-router-live.ts'
import styles from './router-detail-page.module.css'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { useAddressTime } from '#lib/use-address-time.ts'
import { useThrottle } from '#lib/use-throttle.ts'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import { useMedia } from '#ui/hooks/use-media.ts'
import { RouterHistory } from '#ui/member/router-history.tsx'

/** Page of one router: device, networks, links, live traffic and history of its states (network 2). */
export function RouterDetailPage() {
  const routerName = useSearchParams()[0].get('router_name') ?? ''
  if (routerName === '') return <Navigate to={paths.routers()} replace />
  return <RouterDetail key={routerName} routerName={routerName} />
}

function RouterDetail({ routerName }: { readonly routerName: string }) {
  const refresh = useRefreshRouters()
  const live = useRouterLive(routerName, refresh.info)
  const isDown = live.channel === 'down'
  const { data, error, mutate } = useRouterInfo(routerName, isDown)
  const reload = useCallback(() => void mutate(), [mutate]) // mutate() would take a click event as data
  const linkedName = useLinkedName() ?? routerName
  useObjectTitle(data === undefined ? linkedName : memberLabel(data.data))
  useEffect(() => {
    if (isDown) reload()
  }, [isDown, reload])
  // Network 8: 204 leads to the list, on opening and after a deletion elsewhere.
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.routers()} />
  if (data === undefined) {
    return (
      <>
        <PageHeader title={linkedName} trail={[{ label: '成员列表', to: paths.routers() }]} />
        <Panel>{error === undefined ? <Skeleton lines={8} /> : <ErrorState error={error} onRetry={reload} />}</Panel>
      </>
    )
  }
  const info = data.data
  if (info.router_type === ROUTER_TYPE.software) {
    return <Navigate to={paths.routers({ type: ROUTER_TYPE.software, search: routerName })} replace />
  }
  return (
    <RouterLiveContext.Provider value={live}>
      <Equipment info={info} liveStates={live.states} isDown={isDown} error={error} onReload={reload} />
    </RouterLiveContext.Provider>
  )
}

interface EquipmentProps {
  readonly info: RouterInfo
  readonly liveStates: MemberStates | null
  readonly isDown: boolean
  /** Error of the last read; undefined unless it failed. */
  readonly error: unknown
  readonly onReload: () => void
}

/** Content of the page. Traffic does not render it again: the charts take their samples from the context. */
const Equipment = memo(({ info, liveStates, isDown, error, onReload }: EquipmentProps) => {
  const hasReadFailed = error !== undefined
  const states = isDown || liveStates === null ? info : liveStates

  useLinksRefresh(
    info.network.map(({ network_number }) => network_number),
    onReload,
  )

  return (
    <RouterDialogs info={info}>
      <FailureStrip>
        <RouterHead info={info} states={states} isStale={isDown} />
        <ChannelNotice isDown={isDown} isPolled={!hasReadFailed} onRetry={onReload} />
        <ReadFailure error={isDown ? undefined : error} onRetry={onReload} />
        <RouterTabs info={info}>
          <div className={styles.columns}>
            <div className={styles.links}>
              <RouterLinks info={info} states={states} isStale={isDown || hasReadFailed} onRetry={onReload} />
            </div>
            <div className={styles.side}>
              <DevicePanel info={info} />
              <NetworksPanel networks={info.network} />
              <HistoryPanel routerName={info.router_name} isStale={isDown} />
            </div>
            <div className={styles.traffic}>
              <InterfaceCharts info={info} silence={silenceText(states.presence)} onReload={onReload} />
            </div>
          </div>
        </RouterTabs>
      </FailureStrip>
    </RouterDialogs>
  )
})

/** Tells the strip around it that the last read failed; the header stays live. */
function ReadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  useReportedFailure(error, onRetry, '链路与接口为最近一次读取的状态')
  return null
}

const READ_EVERY_MS = 2_000 // a centre that goes offline changes many links

/** Reads again if the health of one of these networks has changed, as it does with each of their links. */
function useLinksRefresh(networkNumbers: readonly string[], read: () => void): void {
  const readSoon = useThrottle(read, READ_EVERY_MS)
  useAccountLive((frame) => {
    if (frame.type !== 'networks') return
    if (frame.data.some(({ network_number }) => networkNumbers.includes(network_number))) readSoon()
  }, read)
}

const LISTED = 3 // more networks take turns (network 2)

/** Networks of a router: a list, or the carousel if there are many and the person allows motion. */
function NetworksPanel({ networks }: { readonly networks: RouterInfo['network'] }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  return (
    <Panel title="所属组网" actions={<Link to={paths.networks()}>组网列表</Link>}>
      {networks.length > LISTED && !isStill ? (
        <NetworkCarousel networks={networks} />
      ) : (
        <NetworkRows networks={networks} />
      )}
    </Panel>
  )
}

function HistoryPanel({ routerName, isStale }: { routerName: string; isStale: boolean }) {
  const [at] = useAddressTime()
  const [title, list] = at === null ? ['24 小时状态', '最近事件'] : ['前后 12 小时状态', '当时的事件']
  return (
    <Panel title={title}>
      <RouterHistory routerName={routerName} type={ROUTER_TYPE.hardware} label={list} at={at}>
        {(events) => (
          <>
            <StateBar label={title} events={events} isStale={isStale && at === null} />
            <h3 className={styles.title}>{list}</h3>
          </>
        )}
      </RouterHistory>
    </Panel>
  )
}
