import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { openPage } from './open-page.tsx'

// directory 2: the sync-users button is hidden when sync_mode is 2 and enabled only when directory sync is on.

const SOFTWARE = '/router/lists?type=2'
const status = (enable: 0 | 1, sync_mode: 1 | 2) => ({
  'ldap/status': { enable, data: { mode: 'public', sync_mode, status: enable } },
})
const button = () => screen.queryByRole<HTMLButtonElement>('button', { name: '同步用户' })

it('opens the directory’s users', async () => {
  const { address } = openPage(SOFTWARE, status(1, 1))
  await userEvent.click(await screen.findByRole('button', { name: '同步用户' }))
  await waitFor(() => expect(address()).toBe('/router/ldap?users=1'))
})

it('is blocked with the reason while no directory is connected', async () => {
  openPage(SOFTWARE, status(0, 1))
  const blocked = await screen.findByRole<HTMLButtonElement>('button', { name: '同步用户' })
  expect(blocked.disabled).toBe(true)
  await userEvent.hover(blocked.closest('.nl-tooltip')!)
  expect(await screen.findByText('尚未启用LDAP接入')).toBeTruthy()
})

it('is hidden while the synchronisation is automatic', async () => {
  const { api } = openPage(SOFTWARE, status(1, 2))
  await waitFor(() => expect(api.last('ldap/status')).toBeDefined())
  await screen.findByRole('button', { name: '批量添加' })
  expect(button()).toBeNull()
})

it('is the main account’s, and of software members', async () => {
  const { api } = openPage(SOFTWARE, status(1, 1), { ram: 1 })
  await screen.findByRole('tab', { name: '软件成员' })
  await waitFor(() => expect(api.last('router/lists')).toBeDefined())
  expect([button(), api.last('ldap/status')]).toEqual([null, undefined])
})
