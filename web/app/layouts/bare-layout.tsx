import { Outlet } from 'react-router'
import { useSession } from '#lib/session/session.ts'
import { LoadingScreen } from './loading-screen.tsx'

/** Layout of pages that draw their own frame. After a sign-out no page is rendered, because it would call `useUser()`. */
export function BareLayout() {
  return useSession().status === 'anonymous' ? <LoadingScreen /> : <Outlet />
}
