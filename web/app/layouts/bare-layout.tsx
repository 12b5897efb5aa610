import { Outlet } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { LoadingScreen } from './loading-screen.tsx'

/** For pages that bring their own frame. Signing out takes the page away before it can ask who is there. */
export function BareLayout() {
  return useSession().status === 'anonymous' ? <LoadingScreen /> : <Outlet />
}
