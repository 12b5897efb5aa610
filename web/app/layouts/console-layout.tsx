import { useCallback, useState, useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { AccountLive } from '../../lib/account-live.tsx'
import { useSession } from '../../lib/session.ts'
import { MainArea, SkipLink } from '../../ui/main-area.tsx'
import { createPersistedSetting } from '../../ui/persisted-setting.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { MenuDrawer } from '../parts/menu-drawer.tsx'
import { SideMenu } from '../parts/side-menu.tsx'
import { SiteFooter } from '../parts/site-footer.tsx'
import { TopBar } from '../parts/top-bar.tsx'
import './console-layout.css'
import { LoadingScreen } from './loading-screen.tsx'
import { StrokeIcon } from '../../ui/stroke-icon.tsx'

type SidebarSize = 'small' | 'medium' | 'large'

/** State and size of the menu are persisted (account 2). */
const foldedSetting = createPersistedSetting<'open' | 'folded'>('netloom.sidebar', ['open', 'folded'], 'open')
const sizeSetting = createPersistedSetting<SidebarSize>('netloom.sidebar-size', ['small', 'medium', 'large'], 'medium')

const SIZES: readonly { readonly value: SidebarSize; readonly label: string }[] = [
  { value: 'small', label: '窄' },
  { value: 'medium', label: '中' },
  { value: 'large', label: '宽' },
]

/** Layout of signed-in pages: menu, header, footer. */
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
  const { isFolded, setFolded, size, setSize } = useSidebarState()
  const [hasDrawer, setDrawer] = useState(false)
  const closeDrawer = useCallback(() => setDrawer(false), [])
  return (
    <div className="nl-shell" data-sidebar={isFolded ? 'folded' : size}>
      <SkipLink />
      <TopBar onMenu={() => setDrawer(true)} />
      <aside className="nl-side">
        <SideMenu isFolded={isFolded} />
        <div className="nl-side-foot">
          <button
            type="button"
            className="nl-bar-button"
            aria-expanded={!isFolded}
            aria-label={isFolded ? '展开菜单' : '收起菜单'}
            title={isFolded ? '展开菜单' : '收起菜单'}
            onClick={() => setFolded(!isFolded)}
          >
            <StrokeIcon path={isFolded ? 'M4 4v12M8 10h8m-3-3 3 3-3 3' : 'M4 4v12M16 10H8m3-3-3 3 3 3'} />
          </button>
          {!isFolded && <Segmented label="菜单宽度" value={size} options={SIZES} onChange={setSize} />}
        </div>
      </aside>
      {hasDrawer && <MenuDrawer onClose={closeDrawer} />}
      <div className="nl-content">
        <MainArea>
          <Outlet />
        </MainArea>
        <SiteFooter />
      </div>
    </div>
  )
}

function useSidebarState() {
  return {
    isFolded: useSyncExternalStore(foldedSetting.subscribe, foldedSetting.get) === 'folded',
    setFolded: (folded: boolean) => foldedSetting.set(folded ? 'folded' : 'open'),
    size: useSyncExternalStore(sizeSetting.subscribe, sizeSetting.get),
    setSize: sizeSetting.set,
  }
}
