import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** In place of the topology while its chunks load. */
export function TopologySkeleton() {
  return (
    <Panel>
      <Skeleton lines={12} />
    </Panel>
  )
}
