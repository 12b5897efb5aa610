import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, type UIMatch, useLocation, useMatches, useNavigation } from 'react-router'
import { focusMain, MAIN_ID } from '../../ui/main-area.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useTitle } from '../parts/use-title.ts'
import './root.css'

const SLOW_MS = 200

/** Around every page of the console: its title, and a bar on top while the next one is on its way. */
export function Root() {
  const matches = useMatches() as UIMatch<unknown, { readonly title?: string } | undefined>[]
  useTitle(matches.at(-1)?.handle?.title)
  useFocusOnNewPage()
  const isSlow = useDelayed(useNavigation().state !== 'idle', SLOW_MS)
  return (
    <>
      {isSlow && <div className="nl-progress" role="progressbar" aria-label="页面加载中" />}
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** As with a document that is loaded: the keyboard goes on at the page, and screen readers read on from there. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const main = document.getElementById(MAIN_ID)
    if (main !== null && !main.contains(document.activeElement)) focusMain()
  }, [pathname])
}
