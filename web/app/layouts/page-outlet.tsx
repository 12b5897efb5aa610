import { useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { useFocusKeeper } from '#ui/hooks/use-focus-keeper.ts'
import { useDelayed } from '#ui/hooks/use-delayed.ts'
import { pageTitle } from '#app/pages.ts'

const SLOW_MS = 300

/** The page; while a slow navigation leads to another one, the skeleton of that. */
export function PageOutlet() {
  const page = useRef<HTMLDivElement>(null)
  useFocusKeeper(page)
  const { pathname } = useLocation()
  const target = useNavigation().location?.pathname ?? pathname
  const isSlow = useDelayed(target !== pathname, SLOW_MS)
  return (
    <>
      {isSlow && (
        <div aria-busy="true">
          <PageHeader title={pageTitle(target) ?? ''} />
          <Panel>
            <Skeleton lines={8} />
          </Panel>
        </div>
      )}
      {/* Hidden, not removed: a navigation that is cancelled leaves the page as it was. */}
      <div ref={page} hidden={isSlow}>
        <Outlet />
      </div>
    </>
  )
}
