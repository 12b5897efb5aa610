import { ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { Panel } from '../../../ui/panel.tsx'
import { RouterHistory } from '../../../ui/router-history.tsx'
import { StateBar } from '../../../ui/state-bar.tsx'
import styles from './side-panels.module.css'

interface HistoryPanelProps {
  readonly routerName: string
  readonly isStale: boolean
}

/** States of the last 24 hours and the last changes. */
export function HistoryPanel({ routerName, isStale }: HistoryPanelProps) {
  return (
    <Panel title="24 小时状态">
      <RouterHistory routerName={routerName} type={ROUTER_TYPE.hardware} label="最近事件">
        {(events) => (
          <>
            <StateBar label="24 小时状态" events={events} isStale={isStale} />
            <h3 className={styles.title}>最近事件</h3>
          </>
        )}
      </RouterHistory>
    </Panel>
  )
}
