import type { InterfaceInfo } from '../../../../worker/contract/protocol.ts'
import { STREAM } from '../../../../worker/contract/limits.ts'
import { Panel } from '../../../ui/panel.tsx'
import { TrafficChart } from '../../../ui/traffic-chart.tsx'
import type { TrafficPoint } from '../../../ui/traffic-series.ts'
import { timeText } from '../../../lib/format-time.ts'
import { INTERFACE_ROLE_NAME } from '../router-text.ts'
import { withEnd, type TrafficWindow } from '../traffic-window.ts'
import styles from './interface-charts.module.css'

const HEIGHT_PX = { alone: 540, among: 480 } as const // network 2
const NO_POINTS: readonly TrafficPoint[] = []

interface InterfaceChartsProps {
  readonly interfaces: readonly InterfaceInfo[]
  readonly window: TrafficWindow
  /** Why the device sends no samples; null while it does. */
  readonly silence: string | null
  /** The device is there, but its samples have stopped. */
  readonly isStale: boolean
}

/** A live chart for each interface. */
export function InterfaceCharts({ interfaces, window, silence, isStale }: InterfaceChartsProps) {
  const heightPx = interfaces.length === 1 ? HEIGHT_PX.alone : HEIGHT_PX.among
  const isStreaming = Object.keys(window).length > 0
  const silenceText = (name: string, up: boolean): string | null => {
    if (!up) return '接口已断开'
    if (isStale) return staleText(window[name]?.at(-1)?.atMs)
    return isStreaming && window[name] === undefined ? '设备没有上报该接口的流量' : null
  }
  return (
    <div className={styles.charts}>
      {interfaces.map(({ interface: name, role, up }) => (
        <Panel key={name}>
          <InterfaceChart
            label={`${name}（${INTERFACE_ROLE_NAME[role]}）`}
            points={window[name] ?? NO_POINTS}
            silence={silence ?? silenceText(name, up)}
            heightPx={heightPx}
          />
        </Panel>
      ))}
    </div>
  )
}

const staleText = (lastAt: number | undefined): string =>
  lastAt === undefined ? '暂无数据' : `暂无数据，最后一次上报于 ${timeText(lastAt)}`

interface InterfaceChartProps {
  readonly label: string
  readonly points: readonly TrafficPoint[]
  readonly silence: string | null
  readonly heightPx: number
}

/** Without new samples the chart is greyed and says why; without any it is left out. */
function InterfaceChart({ label, points, silence, heightPx }: InterfaceChartProps) {
  const isSilent = silence !== null
  return (
    <div className={isSilent ? styles.silent : undefined}>
      {isSilent && points.length === 0 ? (
        <strong>{label}</strong>
      ) : (
        <TrafficChart
          label={label}
          points={isSilent ? withEnd(points) : points}
          stepMs={STREAM.rateMs}
          minHeightPx={heightPx}
        />
      )}
      {isSilent && <p>{silence}</p>}
    </div>
  )
}
