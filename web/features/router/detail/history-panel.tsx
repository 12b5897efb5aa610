import { useAddressTime } from '#lib/use-address-time.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { RouterHistory } from '#ui/member/router-history.tsx'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import styles from './side-panels.module.css'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

interface HistoryPanelProps {
  readonly routerName: string
  readonly isStale: boolean
}

/** States of the last 24 hours and the last changes, or those around the time in the address. */
export function HistoryPanel({ routerName, isStale }: HistoryPanelProps) {
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
