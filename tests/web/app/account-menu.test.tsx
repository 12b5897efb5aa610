import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

async function open(over: Partial<UserInfo> = {}) {
  const api = fakeApi({ 'login/refresh': { data: createSession({ nickname: '启明', ...over }) }, 'login/logout': {} })
  vi.resetModules()
  const { AccountMenu } = await import('#app/top-bar/account-menu.tsx')
  const { ConfirmHost } = await import('#ui/dialog/confirm.tsx')
  const { navigation } = await import('#lib/navigation.ts')
  const { knownSession, useSession } = await import('#lib/session/session.ts')
  const assign = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  await knownSession()
  const Guarded = () => useSession().status === 'signed-in' && <AccountMenu />
  const element = (
    <>
      <Guarded />
      <ConfirmHost />
    </>
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />)
  return { api, assign }
}
const user = userEvent.setup()
const opener = () => screen.getByRole('button', { name: /启明/ })

beforeEach(noOtherTabs)

it('opens and closes by keyboard, and counts what is unread', async () => {
  await open({ message_count: 120 })
  opener().focus()
  await user.keyboard('{Enter}')
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['我的消息99+', '退出登录'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menuitem')).toBeNull()
  expect(document.activeElement).toBe(opener())
})

it('opens on hover', async () => {
  await open()
  await user.hover(opener())
  await screen.findByRole('menuitem', { name: '退出登录' })
})

it('confirms before it signs out; 取消 returns to the menu', async () => {
  const { api, assign } = await open()
  await user.click(opener())
  await user.click(screen.getByRole('menuitem', { name: '退出登录' }))
  await screen.findByRole('alertdialog', { name: '你确定要退出登录吗？' })
  await user.click(screen.getByRole('button', { name: '取消' }))
  await waitFor(() => expect(document.activeElement).toBe(opener()))
  expect(api.paths()).not.toContain('login/logout')

  await user.click(opener())
  await user.click(screen.getByRole('menuitem', { name: '退出登录' }))
  await user.click(await screen.findByRole('button', { name: '退出登录' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
  expect(api.paths()).toContain('login/logout')
})

it('lets a sub-account change its password', async () => {
  await open({ ram: 1 })
  await user.click(opener())
  await user.click(screen.getByRole('menuitem', { name: '修改密码' }))
  await screen.findByRole('dialog', { name: '修改密码' })
  expect(document.activeElement).toBe(screen.getByLabelText('原密码'))
})
