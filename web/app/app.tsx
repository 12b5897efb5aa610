import { createPath, RouterProvider } from 'react-router'
import { navigation } from '#lib/navigation.ts'
import { ToastHost } from '#lib/toast/toast-host.tsx'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { reloadOnMissingChunk } from './chunk-reload.ts'
import { prefetchLinks } from './prefetch.ts'
import { type AppRouter, createAppRouter } from './router.tsx'

/* Starts the router of the console, and renders it in the App component. */

/** Router of this document; `entry` is the address of its entry script. */
export function startRouter(entry: string): AppRouter {
  const router = createAppRouter()
  navigation.back = (home = '/') => {
    const isFirst = ((history.state as { idx?: number } | null)?.idx ?? 0) === 0
    void (isFirst ? router.navigate(home, { replace: true }) : router.navigate(-1))
  }
  reloadOnMissingChunk(entry, {
    address: () => createPath(router.state.navigation.location ?? router.state.location),
    isNavigating: () => router.state.navigation.state !== 'idle',
  })
  prefetchLinks()
  return router
}

export function App({ router }: { readonly router: AppRouter }) {
  return (
    <>
      <RouterProvider router={router} />
      <ConfirmHost />
      <ToastHost />
    </>
  )
}
