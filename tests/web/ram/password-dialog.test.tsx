import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it } from 'vitest'
import { PasswordDialog } from '#pages/ram/password-dialog.tsx'
import { adoptSession } from '#lib/session/session.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { createSession } from '../lib/fixtures.ts'

const user = userEvent.setup()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
const errors = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

async function submit(answer: object, old = 'Demo2026', next = 'Weilai26') {
  const api = fakeApi({ 'ram/password': answer })
  adoptSession(createSession({ ram: 1 }))
  const routes = [{ path: '/', element: <PasswordDialog onClose={() => {}} /> }]
  render(<RouterProvider router={createMemoryRouter(routes)} />)
  if (old) await user.type(field('原密码'), old)
  await user.type(field('新密码'), next)
  await user.type(field('重复密码'), next)
  await user.keyboard('{Enter}')
  return api
}

it.each([
  ['新密码', 422, '该密码过于常见，容易被猜到，请更换', 'password'],
  ['新密码', 422, '新密码不能与原密码相同，请更换', 'password'],
  ['原密码', 429, '原密码错误次数过多，请15分钟后重试', 'old_password'],
])('%s carries the refusal %i %s', async (label, code, msg, name) => {
  await submit({ code, msg, data: { field: name } })
  await waitFor(() => expect(errors()).toEqual([msg]))
  expect(field(label).getAttribute('aria-invalid')).toBe('true')
})

it('names the old password where it is missing, and calls nothing', async () => {
  const api = await submit({}, '')
  await waitFor(() => expect(errors()).toEqual(['原密码不能为空']))
  expect(api.paths()).not.toContain('ram/password')
})
