import { Outlet, ScrollRestoration, type UIMatch, useMatches, useNavigation } from 'react-router'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useTitle } from '../parts/use-title.ts'
import './root.css'

const SLOW_MS = 200

/** Around every page of the console: its title, and a bar on top while the next one is on its way. */
export function Root() {
  const matches = useMatches() as UIMatch<unknown, { readonly title?: string } | undefined>[]
  useTitle(matches.at(-1)?.handle?.title)
  const isSlow = useDelayed(useNavigation().state !== 'idle', SLOW_MS)
  return (
    <>
      {isSlow && <div className="nl-progress" role="progressbar" aria-label="页面加载中" />}
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
