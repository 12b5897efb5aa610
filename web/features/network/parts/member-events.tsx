import Button from '@douyinfe/semi-ui/lib/es/button'
import { useRouterEvents } from '../../../lib/use-router-events.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TransitionList } from '../../../ui/transition-list.tsx'

/** The last changes of a member's state. */
export function MemberEvents({ routerName }: { readonly routerName: string }) {
  const { data, error, mutate } = useRouterEvents(routerName)
  if (data === undefined && error === undefined) return <Skeleton lines={3} />
  if (data === undefined || data.data.live === 0)
    return (
      <p className="nl-muted">
        状态历史暂不可用{' '}
        <Button size="small" onClick={() => void mutate()}>
          重试
        </Button>
      </p>
    )
  return <TransitionList label="最近状态变化" transitions={data.data.transitions} empty="最近 48 小时没有状态变化" />
}
