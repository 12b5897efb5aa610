// The page loads these lazily; no test waits for the import.
import '#pages/network/members/member-dialogs.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createRouter } from '#tests/web/router/fixtures.ts'
import { shownTo } from '#tests/web/lib/fake-live.ts'
import { chooseAction, menuOf } from '#tests/web/lib/row-menu.ts'
import { link, member } from '../member.ts'
import { at, findRow, info, open, openMemberSettings, status } from '../open-network.tsx'

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

it('edits the note of a member of either kind from its row', async () => {
  const { api } = openNetwork({
    'router/info': { data: createRouter('p1', { note: '一店', note_revision: 4 }) },
    'router/note': { msg: '修改成功' },
  })
  await chooseAction(await rowOf('p1'), '修改备注')
  const dialog = within(await screen.findByRole('dialog', { name: '修改备注' }))
  const input = dialog.getByRole<HTMLInputElement>('textbox')
  expect(input.value).toBe('一店')
  await userEvent.clear(input)
  await userEvent.type(input, '二店')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(api.last('router/note')?.input).toEqual({ router_name: 'p1', note: '二店', revision: 4 }))
})

it('lists the five worst links in the panel, all of them in its tab 链路, where the focus goes', async () => {
  const centers = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7'].map((name) => member(name, { role: 'center' }))
  const links = centers.map(({ router_name }, i) => link('p1', router_name, i === 6 ? 'down' : 'up'))
  open({
    'network/info': info([...centers, member('p1')], { link: links }),
    'network/status': status([...centers, member('p1')], links),
  })
  await userEvent.click((await rowOf('p1')).getByRole('button', { name: '查看 p1' }))
  const rows = () => within(screen.getByRole('list', { name: '链路' })).getAllByRole('listitem')
  await screen.findByRole('tab', { name: '概览', selected: true })
  expect(rows()).toHaveLength(5)
  expect(rows()[0]?.textContent).toContain('c7')
  await userEvent.click(screen.getByRole('button', { name: '全部 7 条' }))
  expect(rows()).toHaveLength(7)
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: '链路', selected: true }))
})

it('keeps the tab of the panel in the address, also for the next member, until the panel is closed', async () => {
  const { router } = openNetwork()
  await openMemberSettings('p1')
  expect(router.state.location.search).toContain('panel=settings')
  await userEvent.click(await screen.findByRole('button', { name: '查看 李娜' }))
  await screen.findByRole('button', { name: '修改 拨号方式' })
  expect(screen.queryByRole('heading', { name: '最近状态变化' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(router.state.location.search).not.toContain('panel')
})

it('names the devices of the page that is shown to the hub', async () => {
  const many = [member('c1', { role: 'center' }), ...Array.from({ length: 24 }, (_, i) => member(`p${i}`)), members[2]!]
  const { router } = open({ 'network/info': info(many), 'network/status': status(many) }, {}, at('view=table&page=2'))
  await findRow(/^p13/)
  await waitFor(() => expect(shownTo('network')).toEqual(Array.from({ length: 10 }, (_, i) => `p${i + 8}`)))
  await router.navigate(at('view=table&page=3'))
  await waitFor(() => expect(shownTo('network')).toEqual(['p18', 'p19', 'p20', 'p21', 'p22', 'p23']))
  await router.navigate(at('view=links'))
  await waitFor(() => expect(shownTo('network')).toEqual(['p1', 'c1', 'p2']))
})

it('lists a hundred links of a centre at once in its tab', async () => {
  const points = Array.from({ length: 130 }, (_, i) => member(`p${i}`))
  const all = [member('c1', { role: 'center' }), ...points]
  const links = points.map(({ router_name }) => link(router_name, 'c1'))
  open(
    { 'network/info': info(all, { link: links }), 'network/status': status(all, links) },
    {},
    at('view=table&member=c1&panel=links'),
  )
  const rows = () => within(screen.getByRole('list', { name: '链路' })).getAllByRole('listitem')
  await userEvent.click(await screen.findByRole('button', { name: '再显示 30 条，共 130 条' }))
  expect(rows()).toHaveLength(130)
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
  await openMemberSettings('p1')
  expect(screen.queryByText('2 条')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '修改 静态路由' }))
  await screen.findByRole('dialog', { name: '静态路由 · p1' })
})

it('lists the settings of a member behind ⋯ of its row, with the reason where one cannot be changed', async () => {
  openNetwork({
    'network/info': info(members, { network_status: 0 }),
    'router/info': { data: createRouter('p1', { static_routes: [] }) },
  })
  await userEvent.click(menuOf(await rowOf('李娜')))
  expect((await screen.findByRole('menuitem', { name: /^拨号方式/ })).textContent).toContain(
    ERRORS.NETWORK_SUSPENDED.msg,
  )
  await userEvent.keyboard('{Escape}')
  await chooseAction(await rowOf('p1'), '静态路由')
  await screen.findByRole('dialog', { name: '静态路由 · p1' })
})

it('a role that may not edit members is offered nothing that changes the member itself', async () => {
  openNetwork({}, { ram: 1, flags: ['network:edit'] })
  const row = await rowOf('李娜')
  await userEvent.click(menuOf(row))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    '拨号方式',
    '断开连接',
    '移除',
  ])
  await findRow(/^p1/)
})
