import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { LoginPage } from '#pages/login/login-page.tsx'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'

export const user = userEvent.setup()
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
export const submit = () => user.click(screen.getByRole('button', { name: '登录' }))
export const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

export function openLogin(handlers: Parameters<typeof fakeApi>[0] = {}, address = '/login') {
  let drawn = 0
  const api = fakeApi({
    'verify/code': () => ({ data: { content: 'data:image/png;base64,AA==', uniqid: `u${++drawn}` } }),
    'login/account': { data: createSession() },
    'login/ram': { data: createSession({ ram: 1 }) },
    ...handlers,
  })
  const router = createMemoryRouter(
    [
      { path: '/login', element: <LoginPage /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [address] },
  )
  render(<RouterProvider router={router} />)
  return { api, address: () => router.state.location.pathname + router.state.location.search }
}

export async function fill(username = 'demo01', password = 'Demo2026', code = 'AB2C') {
  await user.type(field('用户名'), username)
  await user.type(field('密码'), password)
  await user.type(field('验证码'), code)
}
