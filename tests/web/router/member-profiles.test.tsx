import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { COPIED } from '#lib/clipboard.ts'
import { guideText } from '#pages/router/members/guide-text.ts'
import { createMember } from './fixtures.ts'
import { row } from './list-rows.ts'
import { type Handlers, openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const NAME = 'li.na@qiming'
const profile = (id: number, device_name: string, state: string) => ({
  profile_id: id,
  network_number: 'N1',
  network_name: '办公网',
  device_name,
  create_time: 1_000,
  expire_time: Date.parse('2026-12-01T00:00:00Z'),
  last_dial_time: null,
  state,
})

async function openDrawer(handlers: Handlers, over: Partial<UserInfo> = {}, member = {}) {
  const user = userEvent.setup()
  const lists = { data: [{ ...createMember(NAME), ...member }], count: 1 }
  const page = openPage('/router/lists?type=2', { 'router/lists': lists, ...handlers }, over)
  await user.click((await row(NAME)).getByRole('button', { name: `详情 ${NAME}` }))
  return { ...page, user, drawer: within(await screen.findByRole('dialog', { name: NAME })) }
}

it('lists profiles with their states; only an open one can be revoked', async () => {
  const states = ['valid', 'ending', 'expired', 'revoked']
  const { drawer } = await openDrawer({
    'router/profiles': { data: states.map((state, n) => profile(n + 1, state, state)) },
  })
  for (const word of ['有效', '即将到期', '已到期', '已失效']) expect(await drawer.findByText(word)).not.toBeNull()
  expect(drawer.getAllByRole('button', { name: /^吊销/ }).map((one) => one.getAttribute('aria-label'))).toEqual([
    '吊销 valid',
    '吊销 ending',
  ])
  expect(drawer.getAllByText(/2026-12-01 到期/)).toHaveLength(4)
})

it('shows a name as text, whatever it says', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const { drawer } = await openDrawer({ 'router/profiles': { data: [profile(7, name, 'valid')] } })
  expect((await drawer.findByText(name)).querySelector('img')).toBeNull()
})

it('revokes one after a question', async () => {
  const { api, user, drawer } = await openDrawer({
    'router/profiles': { data: [profile(7, '手机', 'valid')] },
    'router/revoke_profile': { msg: '已吊销' },
  })
  await user.click(await drawer.findByRole('button', { name: '吊销 手机' }))
  const question = within(await screen.findByRole('alertdialog'))
  api.set('router/profiles', { data: [profile(7, '手机', 'revoked')] })
  await user.click(question.getByRole('button', { name: '吊销' }))
  await waitFor(() => expect(api.last('router/revoke_profile')?.input).toEqual({ router_name: NAME, profile_id: 7 }))
  expect(await drawer.findByText('已失效')).not.toBeNull()
})

it('says so without any', async () => {
  const { drawer } = await openDrawer({ 'router/profiles': { data: [] } })
  expect(await drawer.findByText(/暂无接入配置/)).not.toBeNull()
})

it('profiles that cannot be read can be read again', async () => {
  const info = { 'router/info': { data: { ...createMember(NAME), network: [] } } }
  const { drawer } = await openDrawer({ ...info, 'router/profiles': { code: 500, msg: '数据暂时无法读写' } })
  expect(await drawer.findByRole('button', { name: /重试/ })).not.toBeNull()
  expect(await drawer.findByText(/数据暂时无法读写/)).not.toBeNull()
})

const ONE = { 'router/profiles': { data: [profile(7, '手机', 'valid')] } }

it('a role that edits no members sees them only', async () => {
  const { drawer } = await openDrawer(ONE, { ram: 1, flags: [] })
  expect(await drawer.findByText('手机')).not.toBeNull()
  expect(drawer.queryByRole('button', { name: '吊销 手机' })).toBeNull()
})

it('those of a shared member cannot be revoked', async () => {
  const { drawer } = await openDrawer(ONE, { ram: 1, flags: ['router:edit'] }, { shared: 1 })
  expect(await drawer.findByRole('button', { name: '吊销 手机' })).toHaveProperty('disabled', true)
})

it('copies a guide that names page and account, and no secret', async () => {
  const { user, drawer } = await openDrawer({})
  await user.click(drawer.getByRole('button', { name: `复制接入说明 ${NAME}` }))
  expect(await screen.findByText(COPIED)).not.toBeNull()
  const text = await navigator.clipboard.readText()
  expect(text).toBe(guideText(NAME))
  expect(text).toContain(`${location.origin}/client`)
  expect(text).toContain(NAME)
})
