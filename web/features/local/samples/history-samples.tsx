import type { RouterEvents } from '#contract/router/views.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { REASON, SAMPLE_NOW } from './sample-data.ts'
import styles from '../kit.module.css'

const HOUR = 3_600_000
type Transition = RouterEvents['transitions'][number]

const change = (hoursAgo: number, from: Transition['from'], to: Transition['to'], reason = ''): Transition => ({
  from,
  to,
  at: SAMPLE_NOW - hoursAgo * HOUR,
  reason,
})

const toEvents = (start: RouterEvents['bar']['start'], transitions: readonly Transition[]): RouterEvents => ({
  live: 1,
  transitions: [...transitions],
  bar: { from: SAMPLE_NOW - 24 * HOUR, to: SAMPLE_NOW, start },
})

const LONG = '设备与平台之间的连接中断：心跳未到，两端的探测也没有响应；上一级运营商线路可能正在割接'
const BUSY = toEvents('disabled', [
  change(1, 'offline', 'online'),
  change(2, 'flapping', 'offline', REASON.lost),
  change(4, 'online', 'flapping', REASON.flapping),
  change(9.5, 'offline', 'online'),
  change(9.6, 'online', 'offline', LONG),
  change(15, 'never', 'online'),
  change(20, 'disabled', 'never'),
])
const MANY = toEvents(
  null,
  Array.from({ length: 200 }, (_, n) => change(n / 10, n % 2 ? 'offline' : 'online', n % 2 ? 'online' : 'offline')),
)

/** States of a member over time: none, some, many, and while the channel is down. */
export function HistorySamples() {
  return (
    <div className={styles.grid}>
      <Sample title="24 小时状态" events={BUSY} />
      <Sample title="没有变化" events={toEvents('online', [])} />
      <Sample title="200 次变化" events={MANY} />
      <Sample title="通道断开后的状态" events={BUSY} isStale />
    </div>
  )
}

interface SampleProps {
  readonly title: string
  readonly events: RouterEvents
  readonly isStale?: boolean
}

function Sample({ title, events, isStale = false }: SampleProps) {
  return (
    <Panel title={title}>
      <StateBar label="过去 24 小时" events={events} isStale={isStale} />
      <TransitionList label={title} transitions={events.transitions} empty="过去 48 小时没有状态变化" />
    </Panel>
  )
}
