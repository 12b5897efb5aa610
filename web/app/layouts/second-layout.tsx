import { lazy, Suspense } from 'react'
import { Link, Outlet } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { MainArea, SkipLink } from '../../ui/main-area.tsx'
import { BarLinks } from '../parts/bar-links.tsx'
import { BrandMark } from '../parts/brand-mark.tsx'
import { SiteFooter } from '../parts/site-footer.tsx'
import { ThemeSwitch } from '../parts/theme-switch.tsx'
import '../parts/bar.css'
import './second-layout.css'

/** Loaded for people who are signed in only: it carries the dropdown. */
const AccountMenu = lazy(() => import('../parts/account-menu.tsx').then((m) => ({ default: m.AccountMenu })))

/** Layout of public text pages: legal texts, handbook, downloads. */
export function SecondLayout() {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <div className="nl-plain">
      <SkipLink />
      <header className="nl-bar">
        <Link to="/" className="nl-brand-link" title="返回首页">
          <BrandMark />
        </Link>
        <span className="nl-bar-gap" />
        {isSignedIn && <BarLinks />}
        <ThemeSwitch />
        <Link to={isSignedIn ? '/' : '/login'} className="nl-bar-link">
          {isSignedIn ? '控制台' : '登录'}
        </Link>
        {isSignedIn && (
          <Suspense fallback={null}>
            <AccountMenu />
          </Suspense>
        )}
      </header>
      <MainArea>
        <Outlet />
      </MainArea>
      <SiteFooter />
    </div>
  )
}
