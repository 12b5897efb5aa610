import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { SWRConfig } from 'swr'
import type { UserInfo } from '#contract/account/user-info.ts'
import { RouterDetailPage } from '#pages/router/detail/router-detail-page.tsx'
import { RouterListPage } from '#pages/router/list/router-list-page.tsx'
import { NO_MEMBERS } from '#domain/health/member.ts'
import { AccountLive } from '#lib/live/account-live.tsx'
import { adoptSession } from '#lib/session/session.ts'
import { ToastHost } from '#lib/toast/toast-host.tsx'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'

export type Handlers = Parameters<typeof fakeApi>[0]

export const NOBODY = { ...NO_MEMBERS, attention: 0, config: 0, single_center: 0 }

export const QUANTITY = {
  hardware: 12,
  hardware_online: 9,
  hardware_states: { ...NOBODY, online: 8, flapping: 1, never: 3, attention: 1 },
  software: 3,
  software_online: 1,
  software_states: { ...NOBODY, online: 1, offline: 2 },
  software_max: 5,
  sign: 'qiming',
}
const BASE: Handlers = {
  'router/quantity': { data: QUANTITY },
  'router/lists': { data: [], count: 0 },
  'router/paths': { data: {} },
  'router/profiles': { data: [] },
  'router/events': { data: { live: 1, transitions: [], bar: { from: 0, to: 86_400_000, start: 'online' } } },
  'country/lists': { data: [{ code: 'CN', name: 'China', dialCode: '86', phoneFormat: '', CNName: '中国' }] },
}

const inConsole = (page: ReactNode) => (
  <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
    <AccountLive>{page}</AccountLive>
    <ConfirmHost />
    <ToastHost />
  </SWRConfig>
)

/** Opens an address of the two pages, as `over` of the demo user. */
export function openPage(address: string, handlers: Handlers = {}, over: Partial<UserInfo> = {}) {
  adoptSession(createSession(over))
  const api = fakeApi({ ...BASE, ...handlers })
  const router = createMemoryRouter(
    [
      { path: '/router/lists', element: inConsole(<RouterListPage />) },
      { path: '/router/detail', element: inConsole(<RouterDetailPage />) },
      { path: '/router/ldap', element: null },
    ],
    { initialEntries: [address] },
  )
  render(<RouterProvider router={router} />)
  const go = (to: string) => act(() => router.navigate(to))
  return { api, go, address: () => router.state.location.pathname + router.state.location.search }
}
