import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
  useRouteError,
  Outlet,
  ScrollRestoration,
  type UIMatch,
  useLocation,
  useMatches,
  useNavigation,
} from 'react-router'
import { SENTENCE, RESULT } from '#contract/kernel/result.ts'
import type { Access } from '#contract/kernel/permissions.ts'
import { currentBrand, useBrand } from '#lib/session/brand.ts'
import { toGrants, knownSession, probableSession } from '#lib/session/session.ts'
import { ApiError, networkError } from '#lib/call/transport.ts'
import { readLinkedName } from '#lib/linked-name.ts'
import { useDelayed } from '#ui/hooks/use-delays.ts'
import { focusMain, MAIN_ID } from '#ui/layout/main-area.tsx'
import { useShownObject } from '#ui/layout/tab-title.ts'
import { ErrorPage } from './error-pages/error-page.tsx'
import { guardRoute } from './guard.ts'
import { LoadingScreen } from './layouts/loading-screen.tsx'
import './layouts/root.css'
import { KIT, type LayoutName, NOT_FOUND, type PageEntry, PAGES } from './pages.ts'

/* React Router routes of all pages, with guard, layouts, document titles and error boundaries. */

const LAYOUT: Readonly<Record<LayoutName, () => Promise<ComponentType>>> = {
  public: () => import('./layouts/public-layout.tsx').then((m) => m.PublicLayout),
  second: () => import('./layouts/second-layout.tsx').then((m) => m.SecondLayout),
  console: () => import('./layouts/console-layout.tsx').then((m) => m.ConsoleLayout),
  bare: () => import('./layouts/bare-layout.tsx').then((m) => m.BareLayout),
}

/** The route guard as a loader: it runs in parallel with the load of the page's chunk. */
async function guard(access: Access, { request }: LoaderFunctionArgs): Promise<null> {
  const { pathname, search } = new URL(request.url)
  const session = await (access === 'public' ? probableSession() : knownSession())
  if (session.status === 'unknown' && access !== 'public') throw networkError()
  const grants = session.status === 'signed-in' ? toGrants(session.user) : null
  const result = guardRoute({ pathname, search, access, grants })
  if (result.kind === 'redirect') throw redirect(result.to)
  if (result.kind === 'forbidden') throw new ApiError(RESULT.forbidden, SENTENCE.permissionDenied)
  return null
}

/** Kept out of the first chunk, which loads before the login page. */
const NoPermission = lazy(() => import('#ui/state/page-states.tsx').then((m) => ({ default: m.NoPermission })))

function RouteError() {
  const error = useRouteError()
  if (!(error instanceof ApiError) || error.code !== RESULT.forbidden) return <ErrorPage error={error} />
  return (
    <Suspense fallback={null}>
      <NoPermission />
    </Suspense>
  )
}

/**
 * Loads the page's chunk. A failure waits for the layout's chunk: React Router shows the error as soon as one chunk has
 * failed, and nothing at all inside a layout that is still loading.
 */
async function loadPage(load: () => Promise<ComponentType>, layout: LayoutName): Promise<ComponentType> {
  const [page] = await Promise.allSettled([load(), LAYOUT[layout]()])
  if (page.status === 'rejected') throw page.reason
  return page.value
}

function pageRoute({ path, title, access, layout, load, preload }: PageEntry): RouteObject {
  return {
    path,
    handle: { title },
    loader: (args) => {
      preload?.(new URL(args.request.url).searchParams).catch(() => null) // the page itself reports a chunk that is missing
      return guard(access, args)
    },
    lazy: { Component: () => loadPage(load, layout) },
  }
}

/** The inner error boundary keeps the layout around a page that fails. */
function layoutRoute(name: LayoutName): RouteObject {
  return {
    lazy: { Component: LAYOUT[name] },
    children: [{ ErrorBoundary: RouteError, children: PAGES.filter(({ layout }) => layout === name).map(pageRoute) }],
  }
}

const kit: RouteObject = {
  path: KIT,
  handle: { title: '界面组件' },
  loader: () => {
    if (!import.meta.env.DEV && currentBrand().environment !== 'local') throw redirect(NOT_FOUND)
    return null
  },
  lazy: { Component: () => import('#pages/local/kit-page.tsx').then((m) => m.KitPage) },
}

export const ROUTES: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      {
        path: '/',
        element: <LoadingScreen />,
        loader: ({ request }) => redirect(`/dashboard${new URL(request.url).search}`),
      },
      layoutRoute('public'),
      layoutRoute('second'),
      layoutRoute('console'),
      layoutRoute('bare'),
      kit,
      { path: '*', element: <LoadingScreen />, loader: () => redirect(NOT_FOUND) },
    ],
  },
]

export const createAppRouter = () => createBrowserRouter(ROUTES)
export type AppRouter = ReturnType<typeof createAppRouter>

const SLOW_MS = 200

/** Root layout: document title, scroll position, and a progress bar while a slow navigation runs. */
function Root() {
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

/** Document title such as 上海徐汇店 - 成员详情 (member details) - the host's title; at once that of a page that loads. */
function useTitle(title: string | undefined): void {
  const { title: site } = useBrand()
  const object = useShownObject()
  const next = readLinkedName(useNavigation().location?.state)
  useEffect(() => {
    document.title = (next === undefined ? [object, title, site] : [next, site]).filter(Boolean).join(' - ')
  }, [next, object, title, site])
}
