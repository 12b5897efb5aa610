import { lazy, type MouseEvent, Suspense, useEffect, useState } from 'react'
import { arrive } from './arrival.ts'
import { PublicLayout } from './layouts/public-layout.tsx'
import { useTitle } from './parts/use-title.ts'
import { isDoor, titleOf } from './paths.ts'

const loadLogin = () => import('../features/login/pages/login-page.tsx').then((m) => ({ default: m.LoginPage }))
const Login = lazy(loadLogin)
const Register = lazy(() =>
  import('../features/register/pages/register-page.tsx').then((m) => ({ default: m.RegisterPage })),
)
const Reset = lazy(() => import('../features/reset/pages/reset-page.tsx').then((m) => ({ default: m.ResetPage })))

if (location.pathname.startsWith('/login')) void loadLogin().catch(() => null) // drawn, it fails again and says so

/** What stands before the sign-in: three pages, plain links, no router. */
export default function Door() {
  const [path, setPath] = useState(location.pathname)
  useTitle(titleOf(path))
  useEffect(() => {
    const onPop = () => (isDoor(location.pathname) ? setPath(location.pathname) : void arrive())
    addEventListener('popstate', onPop)
    return () => removeEventListener('popstate', onPop)
  }, [])

  const go = (to: string) => {
    history.pushState(null, '', to)
    setPath(location.pathname)
  }
  const enter = (to: string) => {
    history.replaceState(null, '', to)
    void arrive()
  }
  /** Links from one door page to another need no new document. */
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (link === null || link.target !== '' || !isPlain || !isDoor(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search)
  }

  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- it hears the links inside, keyboard included
    <div onClick={onClick}>
      <PublicLayout>
        <Suspense fallback={null}>
          {path === '/register' ? (
            <Register onDone={() => go('/login')} />
          ) : path === '/reset' ? (
            <Reset />
          ) : (
            <Login onSignedIn={enter} />
          )}
        </Suspense>
      </PublicLayout>
    </div>
  )
}
