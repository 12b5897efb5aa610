import { lazy, Suspense, useEffect } from 'react'
import { Link, Outlet, useRevalidator } from 'react-router'
import { useSession } from '#lib/session/session.ts'
import { MainArea } from '#ui/layout/main-area.tsx'
import { NetworkArt } from './network-art.tsx'
import { SiteFooter, BrandMark } from './site-frame.tsx'
import { ThemeSwitch } from '#app/top-bar/theme-switch.tsx'
import { publicPaths } from '#lib/public-paths.ts'
import './public-layout.css'

/* Layout of sign-in, registration and recovery: product description on one side, the form on the other. */

/** Lazy, because only signed-in visitors need its dropdown. */
const VisitorTools = lazy(() => import('#app/top-bar/visitor-tools.tsx').then((m) => ({ default: m.VisitorTools })))

export function PublicLayout() {
  const isSignedIn = useLateSession()
  return (
    <div className="nl-public">
      <NetworkArt />
      <div className="nl-public-side">
        <header>
          <Link to={publicPaths.home} className="nl-brand-link" title="返回首页">
            <BrandMark />
          </Link>
          <span className="nl-public-tools">
            <ThemeSwitch />
            {isSignedIn && (
              <Suspense fallback={null}>
                <VisitorTools />
              </Suspense>
            )}
          </span>
        </header>
        <MainArea>
          <Outlet />
        </MainArea>
        <SiteFooter />
      </div>
    </div>
  )
}

/** The page may render before the session is known; the guard then decides again. */
function useLateSession(): boolean {
  const isSignedIn = useSession().status === 'signed-in'
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isSignedIn) void revalidate()
  }, [isSignedIn, revalidate])
  return isSignedIn
}
