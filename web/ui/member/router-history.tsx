import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import { useRouterEvents } from './use-router-events.ts'
import { FailedPart } from '#ui/state/failed-part.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import type { routerApi } from '#contract/router/index.ts'
import type { RouterType } from '#contract/router/limits.ts'

interface RouterHistoryProps {
  readonly routerName: string
  readonly type: RouterType
  /** Accessible name of the list of changes. */
  readonly label: string
  /** Around that time; null for the last ones. */
  readonly at?: number | null
  /** Content above the list. */
  readonly children?: (events: Output<typeof routerApi.events>) => ReactNode
}

/** The last changes of a member's state. */
export function RouterHistory({ routerName, type, label, at = null, children }: RouterHistoryProps) {
  const { data, error, mutate } = useRouterEvents(routerName, at)
  const retry = () => void mutate()
  if (data === undefined)
    return error === undefined ? <Skeleton lines={4} /> : <FailedPart error={error} onRetry={mutate} />
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
      {children?.(data.data)}
      <TransitionList
        label={label}
        transitions={data.data.transitions}
        isOnDemand={isOnDemand(type)}
        empty={at === null ? '最近 48 小时没有状态变化' : '前后 12 小时没有连接记录'}
      />
    </>
  )
}
