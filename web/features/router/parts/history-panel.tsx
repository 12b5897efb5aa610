import Button from '@douyinfe/semi-ui/lib/es/button'
import { useRouterEvents } from '../../../lib/use-router-events.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StateBar } from '../../../ui/state-bar.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { TransitionList } from '../../../ui/transition-list.tsx'
import styles from './side-panels.module.css'

interface HistoryPanelProps {
  readonly routerName: string
  readonly isStale: boolean
}

/** States of the last 24 hours and the last changes. */
export function HistoryPanel(props: HistoryPanelProps) {
  return (
    <Panel title="24 小时状态">
      <History {...props} />
    </Panel>
  )
}

function History({ routerName, isStale }: HistoryPanelProps) {
  const { data, error, mutate } = useRouterEvents(routerName)
  const retry = () => void mutate()
  if (data === undefined)
    return error === undefined ? <Skeleton lines={4} /> : <ErrorState error={error} onRetry={retry} />
  if (data.data.live === 0)
    return (
      <p className="nl-muted">
        状态历史暂不可用{' '}
        <Button size="small" onClick={retry}>
          重试
        </Button>
      </p>
    )
  return (
    <>
      <StateBar label="24 小时状态" events={data.data} isStale={isStale} />
      <h3 className={styles.title}>最近事件</h3>
      <TransitionList label="最近事件" transitions={data.data.transitions} empty="最近 48 小时没有状态变化" />
    </>
  )
}
