import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

type Handlers = Parameters<typeof fakeApi>[0]

/** The routes of the application at an address, with modules of their own. */
export async function openAt(address: string, refresh: Handlers[string], handlers: Handlers = {}) {
  const api = fakeApi({
    'login/refresh': refresh,
    'login/logout': {},
    'router/traffic_ticket': { code: 403, msg: 'x' },
    'verify/code': { data: { content: 'data:image/png;base64,AA==', uniqid: 'u1' } },
    'country/lists': { data: [] },
    ...handlers,
  })
  vi.resetModules()
  const { ROUTES } = await import('#app/router.tsx')
  const router = createMemoryRouter(ROUTES, { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return { api, router }
}

export const as = (over: Partial<UserInfo> = {}) => ({ data: createSession(over) })

/** Call before each test: pages of earlier ones are other tabs. */
export function quietPage(): void {
  noOtherTabs()
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('scrollTo', () => {}) // jsdom scrolls nothing
}
