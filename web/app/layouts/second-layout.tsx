import { lazy, Suspense } from 'react'
import { Link, Outlet } from 'react-router'
import { useSession } from '#lib/session/session.ts'
import { MainArea, SkipLink } from '#ui/layout/main-area.tsx'
import { BarLinks } from '#app/top-bar/bar-links.tsx'
import { SiteFooter, BrandMark } from './site-frame.tsx'
import { ThemeSwitch } from '#app/top-bar/theme-switch.tsx'
import { publicPaths } from '#lib/public-paths.ts'
import '#app/top-bar/bar.css'
import './site-frame.css'

/* Layout of public text pages: legal texts, handbook, downloads. */

/** Lazy, because only signed-in visitors need its dropdown. */
const VisitorTools = lazy(() => import('#app/top-bar/visitor-tools.tsx').then((m) => ({ default: m.VisitorTools })))

export function SecondLayout() {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <div className="nl-plain">
      <SkipLink />
      <header className="nl-bar">
        <Link to={publicPaths.home} className="nl-brand-link" title="返回首页">
          <BrandMark />
        </Link>
        <span className="nl-bar-gap" />
        <ThemeSwitch />
        {isSignedIn ? (
          <Suspense fallback={null}>
            <VisitorTools />
          </Suspense>
        ) : (
          <>
            <BarLinks isVisitor />
            <Link to={publicPaths.login} className="nl-bar-link">
              登录
            </Link>
          </>
        )}
      </header>
      <MainArea>
        <Outlet />
      </MainArea>
      <SiteFooter />
    </div>
  )
}
