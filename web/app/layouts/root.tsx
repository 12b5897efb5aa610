import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, type UIMatch, useLocation, useMatches, useNavigation } from 'react-router'
import { useBrand } from '#lib/session/brand.ts'
import { focusMain, MAIN_ID } from '#ui/layout/main-area.tsx'
import { useShownObject } from '#ui/layout/tab-title.ts'
import { useDelayed } from '#ui/hooks/use-delayed.ts'
import './root.css'

const SLOW_MS = 200

/** Root layout: document title, scroll position, and a progress bar while a slow navigation runs. */
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

/** Moves the focus to the page's content after a navigation, as the load of a document would. */
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

/** 上海徐汇店 - 成员详情 - the host's title. */
function useTitle(title: string | undefined): void {
  const { title: site } = useBrand()
  const object = useShownObject()
  useEffect(() => {
    document.title = [object, title, site].filter(Boolean).join(' - ')
  }, [object, title, site])
}
