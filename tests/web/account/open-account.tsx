import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { SWRConfig } from 'swr'
import type { UserInfo } from '#contract/account/user-info.ts'
import { AccountPage } from '#pages/account/overview/account-page.tsx'
import { PasswordPage } from '#pages/account/contact/password-page.tsx'
import { SecurityPage } from '#pages/account/security/security-page.tsx'
import { ProfilePage } from '#pages/account/overview/profile-page.tsx'
import { adoptSession } from '#lib/session/session.ts'
import { PhonePage, EmailPage } from '#pages/account/contact/contact-pages.tsx'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { fakeApi } from '../lib/fake-api.ts'
import { createSession, createUser } from '../lib/fixtures.ts'

export const user = userEvent.setup()
export const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
export const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
export const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }))

const SIGN_INS = [
  {
    session_id: 's1',
    username: 'demo01',
    ram: 0,
    device: 'Windows',
    browser: 'Chrome 126',
    ip: '203.0.113.9',
    place: '',
    host: 'localhost',
    create_time: 1_800_000_000_000,
    refresh_time: 1_800_000_000_000,
    refresh_ip: '203.0.113.9',
    refresh_place: '',
    current: 1,
  },
  {
    session_id: 's2',
    username: 'ops@demo01',
    ram: 1,
    device: 'iPhone',
    browser: '微信 8',
    ip: '198.51.100.4',
    place: '中国 Shanghai',
    host: 'localhost',
    create_time: 1_800_000_000_000,
    refresh_time: 1_800_000_000_000,
    refresh_ip: '192.0.2.77',
    refresh_place: '中国 Beijing',
    current: 0,
  },
] as const

/** The pages of the account at an address, signed in. */
export function openAccount(
  address: string,
  over: Partial<UserInfo> = {},
  handlers: Parameters<typeof fakeApi>[0] = {},
) {
  const api = fakeApi({
    'account/info': { data: createUser(over) },
    'account/sessions': { data: SIGN_INS, count: 2 },
    'account/totp': { data: { enrolled_time: null, recovery_left: 0, ram_required: 0 } },
    'account/totp_rams': { data: [], count: 0 },
    'account/default_phone': { msg: '发送成功' },
    'account/default_email': { msg: '发送成功' },
    'verify/verify': {},
    'verify/send_code': { msg: '发送成功' },
    'country/lists': { data: [] },
    'router/quantity': { data: { software: 3 } },
    ...handlers,
  })
  adoptSession(createSession(over))
  const router = createMemoryRouter(
    [
      { path: '/account', element: <AccountPage /> },
      { path: '/account/info', element: <ProfilePage /> },
      { path: '/account/password', element: <PasswordPage /> },
      { path: '/account/security', element: <SecurityPage /> },
      { path: '/account/phone', element: <PhonePage /> },
      { path: '/account/email', element: <EmailPage /> },
    ],
    { initialEntries: [address] },
  )
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <RouterProvider router={router} />
      <ConfirmHost />
    </SWRConfig>,
  )
  return { api, router }
}
