import type { ReactNode } from 'react'
import { createBrowserRouter, type LoaderFunctionArgs, redirect, type RouteObject, useRouteError } from 'react-router'
import { RESULT, ERRORS } from '../../worker/contract/errors.ts'
import { type Access, isAllowed } from '../../worker/contract/permissions.ts'
import { PlaceholderPage } from '../features/placeholder/pages/placeholder-page.tsx'
import { currentBrand } from '../lib/brand.ts'
import { pageMoves } from '../lib/page-moves.ts'
import { endSession, knownSession } from '../lib/session.ts'
import { ApiError, noAnswer } from '../lib/transport.ts'
import { NoPermission } from '../ui/states.tsx'
import { Fault } from './error-pages/fault.tsx'
import { NotFoundPage } from './error-pages/not-found-page.tsx'
import { judge } from './guard.ts'
import { BareLayout } from './layouts/bare-layout.tsx'
import { ConsoleLayout } from './layouts/console-layout.tsx'
import { LoadingScreen } from './layouts/loading-screen.tsx'
import { Root } from './layouts/root.tsx'
import { SecondLayout } from './layouts/second-layout.tsx'
import { grantsOf } from '../lib/session.ts'
import { isDoor, KIT, type LayoutName, NOT_FOUND, type PageEntry, PAGES } from './paths.ts'

const LAYOUT: Readonly<Record<LayoutName, () => ReactNode>> = {
  second: SecondLayout,
  console: ConsoleLayout,
  bare: BareLayout,
}

/** Guards each navigation inside the console, beside the loading of the page's chunk. Ways out take the whole page. */
async function guard(access: Access, { request }: LoaderFunctionArgs): Promise<null> {
  const { pathname, search } = new URL(request.url)
  const session = await knownSession()
  if (session.status === 'unknown' && access !== 'public') throw noAnswer()
  const isSignedIn = session.status === 'signed-in'
  const verdict = judge({ pathname, search, access, isSignedIn })
  if (verdict.kind === 'sign-out') await endSession()
  if (verdict.kind !== 'enter') return leave(verdict.to)
  if (isSignedIn && !isAllowed(access, grantsOf(session.user)))
    throw new ApiError(RESULT.forbidden, ERRORS.PERMISSION_DENIED.msg)
  return null
}

/** The page goes away under this promise, so nothing more is drawn. */
function leave(to: string): Promise<never> {
  pageMoves.go(to)
  return new Promise(() => {})
}

function RouteError() {
  const error = useRouteError()
  return error instanceof ApiError && error.code === RESULT.forbidden ? <NoPermission /> : <Fault error={error} />
}

function pageRoute({ path, title, access, load }: PageEntry): RouteObject {
  return {
    path,
    handle: { title },
    loader: (args) => guard(access, args),
    ...(load === undefined ? { element: <PlaceholderPage title={title} /> } : { lazy: { Component: load } }),
  }
}

/** The inner boundary keeps the frame around a page that fails. */
function layoutRoute(name: LayoutName): RouteObject {
  return {
    Component: LAYOUT[name],
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
  lazy: { Component: () => import('../features/local/pages/kit-page.tsx').then((m) => m.KitPage) },
}

/** Every page but the door's (door.tsx). */
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
      layoutRoute('second'),
      layoutRoute('console'),
      layoutRoute('bare'),
      kit,
      {
        path: NOT_FOUND,
        handle: { title: '页面不存在' },
        loader: (args) => guard('session', args),
        Component: NotFoundPage,
      },
      {
        path: '*',
        element: <LoadingScreen />,
        loader: ({ request: { url } }) => {
          const { pathname, search } = new URL(url)
          return isDoor(pathname) ? leave(pathname + search) : redirect(NOT_FOUND)
        },
      },
    ],
  },
]

export function createConsoleRouter() {
  return createBrowserRouter(ROUTES)
}
