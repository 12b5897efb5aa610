import { Outlet } from 'react-router'
import { useSession } from '#lib/session/session.ts'
import { LoadingScreen } from './loading-screen.tsx'

/** Pages with a frame of their own. After a sign-out no page is rendered, because it would call `useUser()`. */
export function BareLayout() {
  return useSession().status === 'anonymous' ? <LoadingScreen /> : <Outlet />
}
