// The page loads these lazily; no test waits for the import.
import '#pages/network/members/member-dialogs.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { createRouter } from '#tests/web/router/fixtures.ts'
import { chooseAction, menuOf } from '#tests/web/lib/row-menu.ts'
import { member } from '../member.ts'
import { findRow, info, open, status } from '../open-network.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('#tests/web/lib/fake-live.ts'))

const NAME = 'li.na@qiming'
const members = [
  member('c1', { role: 'center' }),
  { ...member('p1'), static_route_count: 2 },
  member(NAME, { type: 2, note: '李娜' }),
]
const COUNTRIES = {
  'country/lists': { data: [{ code: 'CN', name: 'China', dialCode: '86', phoneFormat: '', CNName: '中国' }] },
}
const openNetwork = (handlers = {}, user = {}) =>
  open({ 'network/info': info(members), 'network/status': status(members), ...COUNTRIES, ...handlers }, user)
const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

it('binds a phone to a software member from its row, with the one that it has', async () => {
  const { api } = openNetwork({
    'router/info': { data: createRouter(NAME, { phone: '13800001234' }) },
    'router/phone': { msg: '保存成功' },
  })
  await chooseAction(await rowOf('李娜'), '绑定手机')
  const phone = await screen.findByLabelText<HTMLInputElement>(/^手机号码/, { selector: 'input' })
  const dialog = within(screen.getByRole('dialog', { name: '绑定手机' }))
  expect(phone.value).toBe('13800001234')
  await userEvent.clear(phone)
  await userEvent.type(phone, '13900001234')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/phone')?.input).toMatchObject({ router_name: NAME, phone: '13900001234' })
})

it('changes the password of a software member from its panel', async () => {
  const { api } = openNetwork({ 'router/password': { msg: '修改成功' } })
  await userEvent.click(await screen.findByRole('button', { name: '查看 李娜' }))
  await userEvent.click(await screen.findByRole('button', { name: '修改密码 李娜' }))
  const dialog = within(await screen.findByRole('dialog', { name: '修改密码' }))
  await userEvent.type(dialog.getByLabelText(/^新密码/, { selector: 'input' }), 'Weilai26')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(api.last('router/password')?.input).toEqual({ router_name: NAME, password: 'Weilai26' }))
})

it('says in the panel of a device how many static routes it has, and opens them', async () => {
  openNetwork({ 'router/info': { data: createRouter('p1', { static_routes: [] }) } })
  await userEvent.click(await screen.findByRole('button', { name: '查看 p1' }))
  expect(screen.queryByText('2 条')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '修改 静态路由' }))
  await screen.findByRole('dialog', { name: '静态路由 · p1' })
})

it('a role that may not edit members is offered none of it', async () => {
  openNetwork({}, { ram: 1, flags: ['network:edit'] })
  const row = await rowOf('李娜')
  await userEvent.click(menuOf(row))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['断开连接', '移除'])
  await findRow(/^p1/)
})
