import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'

/** In place of the topology while its chunks load. */
export function TopologySkeleton() {
  return (
    <Panel>
      <Skeleton lines={12} />
    </Panel>
  )
}
