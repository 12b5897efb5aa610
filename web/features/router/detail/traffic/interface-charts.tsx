import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ComponentProps, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { SERIES, TRAFFIC_RANGES, type TrafficRange } from '#contract/kernel/hub-limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { timeText } from '#lib/format/format-time.ts'
import { CHANNEL_DOWN } from '#lib/live/use-live.ts'
import { useAddressTime } from '#lib/use-address-time.ts'
import { Notice } from '#ui/state/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import {
  INTERFACE_ROLE_NAME,
  type RouterInfo,
  type RouterInterface,
  addressText,
  PROTOCOL_NAME,
  sortInterfaces,
} from '#pages/router/router-text.ts'
import { type Fact, Facts } from '#ui/layout/facts.tsx'
import { InfoPopover } from '#ui/layout/text/info-popover.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { newest } from './live-chart-data.ts'
import { type RouterLive, RouterLiveContext } from '../use-router-live.ts'
import { type TrafficPoint, toTrafficSeries } from './traffic-window.ts'
import { type RouterTraffic, type TrafficMode, useLiveTraffic, useStoredTraffic } from './use-router-traffic.ts'
import styles from './interface-charts.module.css'

/* Settings and traffic chart of each interface of a router (network 2), all over the same time range. */

const TITLE = '接口设置与流量'
const HEIGHT_PX = { alone: 540, among: 480 } as const // network 2
const NO_POINTS: readonly TrafficPoint[] = []

interface InterfaceChartsProps {
  readonly info: RouterInfo
  /** Reason why the device sends no samples; null while it does. */
  readonly silence: string | null
  readonly onReload: () => void
}

export function InterfaceCharts({ info, silence, onReload }: InterfaceChartsProps) {
  const live = useContext(RouterLiveContext)
  if (live === null) throw new Error('charts of interfaces stand outside of a RouterLiveContext')
  const { router_name: routerName } = info
  const interfaces = useMemo(() => sortInterfaces(info.interfaces), [info.interfaces])
  useUnlisted(interfaces, live, onReload)
  const { mode, setMode, at, toNow } = useMode()
  const current = useLiveTraffic(routerName, live, silence)
  const stored = useStoredTraffic(routerName, mode === 'live' ? null : mode, at)
  const shown = mode === 'live' ? current : stored
  const traffic = mode === 'live' && current.isUnread ? null : shown.traffic
  const { isOpen, toggle } = useOpenCharts(interfaces)
  const tools = <Segmented label="时间范围" value={mode} onChange={setMode} options={MODES} />
  const heightPx = interfaces.length === 1 ? HEIGHT_PX.alone : HEIGHT_PX.among
  if (interfaces.length === 0) {
    return (
      <Panel title={TITLE}>
        <NothingYet title="暂无接口" hint="设备上线后会上报它的接口。" />
      </Panel>
    )
  }
  return (
    <section aria-label={TITLE}>
      {at !== null && <AtNotice at={at} onNow={toNow} />}
      <ChartGroup
        frame={traffic?.frame ?? current.traffic.frame}
        bar={{ title: TITLE, resolution: traffic?.resolution ?? '', tools }}
      >
        <div className={styles.charts}>
          {interfaces.map((port) => {
            const { interface: name, up } = port
            const settings = (
              <InterfaceSettings port={port} silence={live.channel === 'down' ? CHANNEL_DOWN : silence} />
            )
            return (
              <div key={name} className={isOpen(name) ? styles.open : styles.folded}>
                <Panel>
                  {traffic === null && isOpen(name) ? (
                    <Unread
                      label={labelOf(port)}
                      heightPx={heightPx}
                      error={shown.query.error}
                      onRetry={shown.query.mutate}
                    >
                      {settings}
                    </Unread>
                  ) : (
                    <InterfaceChart
                      label={labelOf(port)}
                      points={traffic?.points[name] ?? NO_POINTS}
                      earlier={traffic?.earlier[name]}
                      minHeightPx={heightPx}
                      silence={mode === 'live' ? chartSilence(current.traffic, live, name, up) : null}
                      empty={traffic?.empty ?? ''}
                      details={settings}
                      {...(interfaces.length > 1 && { fold: { isOpen: isOpen(name), onToggle: () => toggle(name) } })}
                    />
                  )}
                </Panel>
              </div>
            )
          })}
        </div>
      </ChartGroup>
    </section>
  )
}

/** Traffic of an unlisted interface means that the device has changed: reads it again. */
function useUnlisted(interfaces: readonly RouterInterface[], live: RouterLive, onReload: () => void): void {
  const known = new Set(interfaces.map((entry) => entry.interface))
  const unlisted = Object.keys(live.window)
    .filter((name) => !known.has(name))
    .join()
  useEffect(() => {
    if (unlisted !== '') onReload()
  }, [unlisted, onReload])
}

const labelOf = ({ interface: name, role }: RouterInterface): string => `${name}（${INTERFACE_ROLE_NAME[role]}）`

const MODES = [
  { value: 'live', label: '实时' },
  { value: 'hour', label: '1 小时' },
  { value: 'day', label: '24 小时' },
  { value: 'week', label: '7 天' },
  { value: 'month', label: '30 天' },
] as const

interface InterfaceChartProps extends Omit<ComponentProps<typeof TimeChart>, 'series'> {
  readonly points: readonly TrafficPoint[]
  readonly earlier: TrafficPoint | undefined
}

function InterfaceChart({ points, earlier, ...chart }: InterfaceChartProps) {
  const series = useMemo(() => toTrafficSeries(points, earlier), [points, earlier])
  return <TimeChart series={series} {...chart} />
}

/** Mode of the charts. The address has the range and the time in its middle; live (实时) clears that time. */
function useMode() {
  const [params, setParams] = useSearchParams()
  const [at, toNow] = useAddressTime()
  const [openedMs] = useState(Date.now)
  const chosen = TRAFFIC_RANGES.find((range) => range === params.get('range'))
  const mode: TrafficMode = chosen ?? (at === null ? 'live' : rangeAround(at, openedMs))
  const setMode = (next: TrafficMode) =>
    setParams(
      (before) => {
        if (next === 'live') for (const name of ['range', 'at']) before.delete(name)
        else before.set('range', next)
        return before
      },
      { replace: true },
    )
  return { mode, setMode, at: mode === 'live' ? null : at, toNow }
}

/** Range that charts show around a time: the finest that is still kept. */
function rangeAround(at: number, nowMs: number): TrafficRange {
  const days = (nowMs - at) / DAY_MS
  return days < SERIES.slotDays ? 'hour' : days < SERIES.hourDays ? 'week' : 'month'
}

function AtNotice({ at, onNow }: { readonly at: number; readonly onNow: () => void }) {
  return (
    <Notice
      role="status"
      actions={
        <Button size="small" onClick={onNow}>
          回到现在
        </Button>
      }
    >
      {`图表为 ${timeText(at)} 前后的数据`}
    </Notice>
  )
}

/** Open charts: at first WAN, or the first interface without a WAN. LAN and tunnels repeat the traffic of WAN. */
function useOpenCharts(interfaces: readonly RouterInterface[]) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const hasWan = interfaces.some(({ role }) => role === 'wan')
  const isOpen = (name: string): boolean => {
    const opensFirst = interfaces.some(
      (one, index) => one.interface === name && (hasWan ? one.role === 'wan' : index === 0),
    )
    return opensFirst !== toggled.has(name)
  }
  const toggle = (name: string) =>
    setToggled((before) => new Set(before.has(name) ? [...before].filter((one) => one !== name) : [...before, name]))
  return { isOpen, toggle }
}

function chartSilence({ silence, points }: RouterTraffic, live: RouterLive, name: string, up: boolean): string | null {
  if (silence !== null) return silence
  if (!up) return '接口已断开'
  const lastAt = points[name]?.at(-1)?.atMs
  if (live.isStale) return lastAt === undefined ? '暂无数据' : `暂无数据，最后一次上报于 ${timeText(lastAt)}`
  return newest(points) !== null && points[name] === undefined ? '设备没有上报该接口的流量' : null
}

interface UnreadProps {
  readonly label: string
  /** Height of the chart, so that the page does not move when the chart appears. */
  readonly heightPx: number
  readonly error: unknown
  readonly onRetry: () => unknown
  readonly children: ReactNode
}

/** Placeholder of a chart whose range is not read yet; the settings are shown already. */
function Unread({ label, heightPx, error, onRetry, children }: UnreadProps) {
  return (
    <>
      <strong>{label}</strong>
      {children}
      <div style={{ minHeight: heightPx }}>
        {error === undefined ? <Skeleton lines={8} /> : <FailedPart error={error} onRetry={onRetry} />}
      </div>
    </>
  )
}

/** Settings of one interface as the device reports them (network 2). `silence` says why its state is unknown. */
function InterfaceSettings({ port, silence }: { port: RouterInterface; silence: string | null }) {
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
  ]
  return (
    <div className={styles.settings} role="group" aria-label={`${name} 接口设置`}>
      <Facts facts={facts} />
      {uuid !== '' && (
        <InfoPopover label={`${name} 的接口标识`}>
          <Facts facts={[{ label: '接口标识', value: <CopyText text={uuid} label="复制接口标识" /> }]} />
        </InfoPopover>
      )}
    </div>
  )
}
