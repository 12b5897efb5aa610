import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { SWRConfig } from 'swr'
import type { ReactElement, ReactNode } from 'react'
import type { UserInfo } from '#contract/account/user-info.ts'
import { adoptSession, useSession } from '#lib/session/session.ts'
import { ToastHost } from '#lib/toast/toast-host.tsx'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'

export const QUOTA = {
  network_router_use: 3,
  network_router_count: 5,
  network_level: 2,
  network_center_count: 2,
  dns_quantity: 2,
}

/** As ConsoleLayout does, takes the page off with the session. */
function SignedIn({ children }: { readonly children: ReactNode }) {
  return useSession().status === 'anonymous' ? null : children
}

/** One page of the console at an address, signed in, with confirmations and toasts; other pages only show their path. */
export function openPage(
  page: ReactElement,
  address: string,
  handlers: Parameters<typeof fakeApi>[0],
  user: Partial<UserInfo> = {},
) {
  adoptSession(createSession(user))
  const api = fakeApi({ 'network/config': { data: QUOTA }, ...handlers })
  const path = address.split('?')[0] ?? address
  const router = createMemoryRouter(
    [
      { path, element: <SignedIn>{page}</SignedIn> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  )
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <RouterProvider router={router} />
      <ConfirmHost />
      <ToastHost />
    </SWRConfig>,
  )
  return { api, router }
}
