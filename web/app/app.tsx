import { lazy, Suspense, useSyncExternalStore } from 'react'
import { areaStore } from './arrival.ts'
import { Boundary } from './error-pages/boundary.tsx'
import { LoadingScreen } from './layouts/loading-screen.tsx'
import { isDoor, loadOf } from './paths.ts'

const loadDoor = () => import('./door.tsx')
const loadConsole = () => import('./console.tsx')
const Door = lazy(loadDoor)
const Console = lazy(loadConsole)

/** The likely area and page travel while it is still being asked who is here. */
export function preload(): void {
  const { pathname } = location
  const page = isDoor(pathname) ? undefined : loadOf(pathname === '/' ? '/dashboard' : pathname)
  for (const load of [isDoor(pathname) ? loadDoor : loadConsole, page]) void load?.().catch(() => null) // drawn, it fails again and says so
}

export function App() {
  const area = useSyncExternalStore(areaStore.subscribe, areaStore.get)
  return (
    <Boundary>
      <Suspense fallback={<LoadingScreen />}>
        {area === 'arriving' && <LoadingScreen />}
        {area === 'door' && <Door />}
        {area === 'console' && <Console />}
      </Suspense>
    </Boundary>
  )
}
