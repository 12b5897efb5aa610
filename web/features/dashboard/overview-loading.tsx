import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'

/** Placeholder of the cards until they are read. */
export function OverviewLoading() {
  return (
    <>
      <Panel>
        <Skeleton lines={1} />
      </Panel>
      <Panel>
        <Skeleton lines={8} />
      </Panel>
    </>
  )
}
