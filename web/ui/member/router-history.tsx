import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { routerApi } from '#contract/router/index.ts'
import type { RouterType } from '#contract/router/limits.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { FailedPart } from '#ui/state/failure-strip.tsx'

/* State changes of one member, at present or around a time, read from the server. */

interface RouterHistoryProps {
  readonly routerName: string
  readonly type: RouterType
  readonly label: string
  /** Shows the states around that time; null shows the last ones. */
  readonly at?: number | null
  readonly children?: (events: Output<typeof routerApi.events>) => ReactNode
}

export function RouterHistory({ routerName, type, label, at = null, children }: RouterHistoryProps) {
  const { data, error, mutate } = useRouterEvents(routerName, at)
  if (data === undefined)
    return error === undefined ? <Skeleton lines={4} /> : <FailedPart error={error} onRetry={mutate} />
  if (data.data.live === 0)
    return (
      <p className="nl-muted">
        状态历史暂不可用{' '}
        <Button size="small" onClick={() => void mutate()}>
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

/** Reads again after a change that the hub of the account pushes, and every few minutes, because the bar moves on. */
function useRouterEvents(routerName: string, at: number | null) {
  const input = { router_name: routerName, ...(at !== null && { at }) }
  const query = useQuery(routerApi.events, input, { pollMs: HEALTH.curveBucketMs })
  const read = () => void query.mutate()
  useAccountLive((frame) => {
    if (frame.type === 'routers' && frame.data.some(({ router_name }) => router_name === routerName)) read()
  }, read)
  return query
}
