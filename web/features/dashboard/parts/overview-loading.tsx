import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

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
