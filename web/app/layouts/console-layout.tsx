import { useCallback, useState, useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { AccountLive } from '#lib/live/account-live.tsx'
import { useSession } from '#lib/session/session.ts'
import { MainArea, SkipLink } from '#ui/layout/main-area.tsx'
import { SideEdge, SideFoot, MenuDrawer } from '#app/menu/sidebar.tsx'
import { SideMenu } from '#app/menu/side-menu.tsx'
import { SiteFooter } from './site-frame.tsx'
import { TopBar } from '#app/top-bar/top-bar.tsx'
import { useSidebar } from '#app/menu/sidebar-state.ts'
import { pageTitle } from '#app/pages.ts'
import { useDelayed } from '#ui/hooks/use-delays.ts'
import { useFocusKeeper } from '#ui/hooks/use-focus-keeper.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { OfflineNotice } from '#ui/state/connection-notice.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import './console-layout.css'
import { LoadingScreen } from './loading-screen.tsx'

/* Layout of the signed-in console: top bar, side menu and page. */

export function ConsoleLayout() {
  const { status } = useSession()
  if (status === 'anonymous') return <LoadingScreen /> // after a sign-out no page may call useUser()
  if (status === 'unknown') return <Outlet /> // the guard's network error is shown without a frame
  return (
    <AccountLive>
      <Frame />
    </AccountLive>
  )
}

function Frame() {
  const { isFolded, setFolded, size, setSize } = useSidebar()
  const [hasDrawer, setDrawer] = useState(false)
  const closeDrawer = useCallback(() => setDrawer(false), [])
  return (
    <div className="nl-shell" data-sidebar={isFolded ? 'folded' : size}>
      <SkipLink />
      <TopBar onMenu={() => setDrawer(true)} />
      <aside className="nl-side">
        <SideMenu isFolded={isFolded} />
        <SideFoot isFolded={isFolded} onFold={setFolded} />
        {!isFolded && <SideEdge size={size} onSize={setSize} />}
      </aside>
      {hasDrawer && <MenuDrawer onClose={closeDrawer} />}
      <div className="nl-content">
        <MainArea>
          <OfflineNotice />
          <PageOutlet />
        </MainArea>
        <SiteFooter />
      </div>
    </div>
  )
}

const SLOW_MS = 300

/** Shows the page, or the skeleton of the next page while a slow navigation runs. */
function PageOutlet() {
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
      {/* Hidden, not removed: a cancelled navigation leaves the page unchanged. */}
      <div ref={page} hidden={isSlow}>
        <Outlet />
      </div>
    </>
  )
}
