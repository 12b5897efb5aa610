import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createMember, createRouter, states } from './fixtures.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { setLiveState, missFrames, emitFrame } from '../lib/fake-live.ts'
import { chooseAction, menuOf } from '../lib/row-menu.ts'
import { row, words } from './list-rows.ts'
import { NOBODY, openPage, QUANTITY } from './open-page.tsx'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

afterEach(async () => {
  vi.useRealTimers()
  const question = screen.queryByRole('alertdialog')
  if (question !== null) await userEvent.click(within(question).getByRole('button', { name: '取消' })) // else the next test has it
})

const LIST = {
  data: [
    createMember('NL-A', { note: '上海', network_count: 2 }),
    createMember('NL-B', { ...states({ state: 'offline' }) }),
  ],
  count: 2,
  states: { ...NOBODY, online: 1, offline: 1, attention: 1 },
}
const PEOPLE = {
  data: [createMember('li.na@qiming', { os: 'windows', phone: '13800001234', source: 'ldap' })],
  count: 1,
}
const hardware = { 'router/lists': LIST }
const FIRST = { page: '1', limit: '10', sort: 'state', order: 'desc' }

it('lists hardware with its counts, filtered by the URL', async () => {
  const { api } = openPage('/router/lists?search=%E4%B8%8A&state=attention&page=2', hardware)
  await row('NL-A')
  expect(api.last('router/lists')?.input).toEqual({ ...FIRST, page: '2', search: '上', type: '1', state: 'attention' })
  await screen.findByText('12', { selector: 'strong' })
  expect((await row('NL-A')).getByRole('link', { name: '上海' }).getAttribute('href')).toBe(
    '/router/detail?router_name=NL-A',
  )
})

it('without the right to edit members the search does not offer phones', async () => {
  openPage('/router/lists?type=2', { 'router/lists': PEOPLE }, { ram: 1, flags: [] })
  await screen.findByText('li.na@qiming')
  expect(screen.getByLabelText('搜索账号或备注')).not.toBeNull()
  expect(screen.queryByLabelText('搜索账号、备注或手机')).toBeNull()
})

it('each state is a number of its own, on the filter only; zeros are hidden', async () => {
  openPage('/router/lists', hardware)
  await row('NL-A')
  const filter = within(screen.getByRole('group', { name: '在线状态' }))
  await filter.findByRole('button', { name: '共 12' })
  expect(filter.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '共 12',
    '在线 8',
    '抖动 1',
    '从未上线 3',
    '需关注 1',
  ])
  expect(screen.queryAllByText('在线 8')).toHaveLength(1)
})

it('counts on its filters what a search leaves', async () => {
  openPage('/router/lists?search=x', hardware)
  await row('NL-A')
  const filter = within(screen.getByRole('group', { name: '在线状态' }))
  expect(filter.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    '共 2',
    '在线 1',
    '离线 1',
    '需关注 1',
  ])
})

it('the other kind starts afresh: no search, no page, its own columns and counts', async () => {
  const user = userEvent.setup()
  const { api, address } = openPage('/router/lists?search=x&page=3', {
    'router/lists': ({ input }) => (input['type'] === '2' ? PEOPLE : LIST),
  })
  await row('NL-A')
  await user.click(screen.getByRole('tab', { name: '软件成员' }))
  expect(address()).toBe('/router/lists?type=2')
  const member = await row('li.na@qiming')
  expect(member.queryByText('+86 13800001234')).not.toBeNull()
  expect(screen.queryByRole('row', { name: /NL-A/ })).toBeNull()
  expect(screen.queryByText('3 / 5')).not.toBeNull()
  expect(screen.queryByRole('button', { name: '需关注' })).toBeNull()
  expect(api.last('router/lists')?.input).toEqual({ ...FIRST, search: '', type: '2', state: '' })
})

it('a pushed state changes its row in place without asking again', async () => {
  const { api } = openPage('/router/lists', hardware)
  expect(await words('NL-A')).toEqual(['在线', '已生效'])
  await setLiveState('account', 'live')
  const reads = () => api.paths().filter((path) => path === 'router/lists').length
  const before = reads()
  await emitFrame('account', {
    type: 'routers',
    data: [{ router_name: 'NL-A', ...states({ state: 'flapping', config: 'failed' }) }],
  })
  expect(await words('NL-A')).toEqual(['抖动', '失败'])
  expect(await words('NL-B')).toEqual(['离线', '已生效'])
  expect(reads()).toBe(before)
})

it('a missed state is read again, and wins over the one pushed before', async () => {
  const { api } = openPage('/router/lists', hardware)
  await row('NL-A')
  await setLiveState('account', 'live')
  await emitFrame('account', { type: 'routers', data: [{ router_name: 'NL-A', ...states({ state: 'offline' }) }] })
  expect((await words('NL-A'))[0]).toBe('离线')
  api.set('router/lists', { data: [createMember('NL-A', states({ state: 'reconnecting' }))], count: 1 })
  await missFrames('account')
  await waitFor(async () => expect((await words('NL-A'))[0]).toBe('重连中'))
})

it('a state that changed before the channel opened is read once it has', async () => {
  const { api } = openPage('/router/lists', hardware)
  expect((await words('NL-A'))[0]).toBe('在线')
  api.set('router/lists', { data: [createMember('NL-A', states({ state: 'reconnecting' }))], count: 1 })
  await setLiveState('account', 'live')
  await emitFrame('account', { type: 'account', data: { unread: 0 } })
  await waitFor(async () => expect((await words('NL-A'))[0]).toBe('重连中'))
})

it('a channel that is down greys the states, shows a notice and reads the rows, until it is back', async () => {
  const { api } = openPage('/router/lists', hardware)
  await row('NL-A')
  const before = api.paths().filter((path) => path === 'router/lists').length
  await setLiveState('account', 'down')
  expect(screen.queryByText(/实时通道已断开/)).not.toBeNull()
  const light = (await row('NL-A')).getByText('在线').closest('.nl-status')
  expect(light?.className).toContain('nl-tone-idle')
  await waitFor(() => expect(api.paths().filter((path) => path === 'router/lists').length).toBeGreaterThan(before))
  await setLiveState('account', 'live')
  expect(screen.queryByText(/实时通道已断开/)).toBeNull()
  expect((await row('NL-A')).getByText('在线').closest('.nl-status')?.className).toContain('nl-tone-ok')
})

it('header and chips are polled with the rows while the channel is down', async () => {
  const { pass } = holdLongTimers(1_000)
  const { api } = openPage('/router/lists', hardware)
  await row('NL-A')
  await setLiveState('account', 'down')
  const reads = () => api.paths().filter((path) => path === 'router/quantity').length
  await waitFor(() => expect(reads()).toBe(2)) // at once, when the channel went down
  await pass(STATUS_POLL_MS)
  await waitFor(() => expect(reads()).toBe(3))
})

it('disables a member once confirmed', async () => {
  const user = userEvent.setup()
  const { api } = openPage('/router/lists?type=2', { 'router/lists': PEOPLE, 'router/update_status': {} })
  await user.click((await row('li.na@qiming')).getByRole('button', { name: '详情 li.na@qiming' }))
  await user.click(await screen.findByRole('button', { name: /^停用/ }))
  expect(api.last('router/update_status')).toBeUndefined()
  await user.click(await screen.findByRole('button', { name: '停用成员' }))
  await screen.findByText('已停用成员“li.na@qiming”')
  expect(api.last('router/update_status')?.input).toEqual({ router_name: 'li.na@qiming', status: 0 })
})

it('a member is deleted only by its exact name, with the consequences shown', async () => {
  const user = userEvent.setup()
  const { api } = openPage('/router/lists', { ...hardware, 'router/delete': { msg: '删除成功' } })
  await chooseAction(await row('NL-A'), '删除')
  const dialog = within(await screen.findByRole('alertdialog', { name: '删除硬件成员“上海（NL-A）”？' }))
  expect(dialog.queryByText(/^是否确定删除\?/)).not.toBeNull()
  expect(dialog.queryByText(/正在线.*退出 2 个组网/)).not.toBeNull()
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: '删除成员' })
  await user.type(dialog.getByRole('textbox'), 'nl-a')
  expect(button.disabled).toBe(true)
  await user.clear(dialog.getByRole('textbox'))
  await user.type(dialog.getByRole('textbox'), 'NL-A')
  await user.click(button)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(api.last('router/delete')?.input).toEqual({ router_name: 'NL-A' })
  expect(api.paths().slice(-2).toSorted()).toEqual(['router/lists', 'router/quantity'])
})

it('a refused deletion keeps the dialog open with the reason', async () => {
  const user = userEvent.setup()
  openPage('/router/lists', { ...hardware, 'router/delete': { code: 422, msg: '该成员是唯一的中心点' } })
  await chooseAction(await row('NL-B'), '删除')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.queryByText(/正在线/)).toBeNull()
  await user.type(dialog.getByRole('textbox'), 'NL-B{Enter}')
  await dialog.findByText('该成员是唯一的中心点')
})

it('a note is saved, an unchanged one is not sent', async () => {
  const user = userEvent.setup()
  const { api } = openPage('/router/lists', { ...hardware, 'router/note': { msg: '修改成功' } })
  await chooseAction(await row('NL-A'), '备注')
  await user.click(await screen.findByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.last('router/note')).toBeUndefined()

  await chooseAction(await row('NL-A'), '备注')
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: '备注' })
  expect(box.maxLength).toBe(-1) // refused with a sentence, never cut
  await user.clear(box)
  await user.type(box, '成都')
  await user.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(api.last('router/note')?.input).toEqual({ router_name: 'NL-A', note: '成都', revision: 0 }),
  )
})

it('a software member opens beside the list, with its networks', async () => {
  const user = userEvent.setup()
  openPage('/router/lists?type=2', {
    'router/lists': PEOPLE,
    'router/info': { data: createRouter('li.na@qiming', { interfaces: [] }) },
  })
  await user.click((await row('li.na@qiming')).getByRole('button', { name: '详情 li.na@qiming' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'li.na@qiming' }))
  expect(drawer.queryByText('Windows 1.4.2')).not.toBeNull()
  expect((await drawer.findByRole('link', { name: '华东生产网' })).getAttribute('href')).toBe(
    '/network/detail?network_number=N1',
  )
})

it('actions that a role can never perform are hidden', async () => {
  const user = userEvent.setup()
  openPage('/router/lists?type=2', { 'router/lists': PEOPLE }, { ram: 1, flags: ['router:edit'] })
  const member = await row('li.na@qiming')
  expect(member.queryByRole('checkbox')).toBeNull()
  await user.click(menuOf(member))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
    '备注',
    '绑定手机由目录管理，请在目录中修改',
    '修改密码由目录管理，请在目录中修改',
  ])
  await screen.findByText(/账号后缀 @qiming/)
  expect(screen.queryByRole('button', { name: /添加|^修改/ })).toBeNull()
})

it('a role limited to networks adds a member into one of them', async () => {
  const user = userEvent.setup()
  const limited = { ram: 1, flags: ['router:create'], networks: ['N1'] } satisfies Partial<UserInfo>
  const { api } = openPage(
    '/router/lists',
    {
      'network/select': { data: [{ network_number: 'N1', network_name: '分支网' }] },
      'router/add': ({ input }) =>
        input['network_number'] === 'N1'
          ? { data: { router_name: 'NL-1' }, msg: '添加成功' }
          : { ...ERRORS.NETWORK_CHOICE_REQUIRED, data: { field: 'network_number' } },
    },
    limited,
  )
  const buttons = () => screen.getAllByRole<HTMLButtonElement>('button', { name: '添加硬件成员' })
  await waitFor(() => expect(buttons()[0]?.disabled).toBe(false))
  await user.click(buttons()[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog', { name: '添加硬件成员' }))
  await user.type(dialog.getByRole('textbox', { name: /序列号/ }), 'NL-1')
  await user.type(dialog.getByRole('textbox', { name: /激活码/ }), 'ABCDEFGH2345')
  await user.click(dialog.getByRole('button', { name: '添加' }))
  await dialog.findByText(ERRORS.NETWORK_CHOICE_REQUIRED.msg)
  await user.click(dialog.getByRole('combobox', { name: /加入组网/ }))
  await user.click(await screen.findByText('分支网'))
  await user.click(dialog.getByRole('button', { name: '添加' }))
  await waitFor(() => expect(api.last('router/add')?.input['network_number']).toBe('N1'))
  await screen.findByText('添加成功')
})

it('at the limit no software member can be added, and the button shows why', async () => {
  openPage('/router/lists?type=2', {
    'router/lists': PEOPLE,
    'router/quantity': { data: { ...QUANTITY, software: 5 } },
  })
  const number = await screen.findByText('5 / 5')
  expect(number.parentElement?.className).toContain('full')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加软件成员' }).disabled).toBe(true)
  expect(screen.getByRole('link', { name: '提交工单扩容' }).getAttribute('href')).toBe(
    '/ticket/create?request=software',
  )
})

it('an empty list offers to add, a narrowed one to clear the filter, a failed one to retry', async () => {
  const user = userEvent.setup()
  const { api, address } = openPage('/router/lists?state=offline')
  await screen.findByText('没有符合当前筛选条件的内容')
  await user.click(screen.getAllByRole('button', { name: '清除筛选' })[0] as HTMLElement)
  expect(address()).toBe('/router/lists')
  await screen.findByText(/凭序列号和激活码添加/)
  expect(screen.getAllByRole('button', { name: '添加硬件成员' })).toHaveLength(2)

  api.set('router/lists', { code: 500, msg: '系统异常' })
  await user.click(screen.getByRole('tab', { name: '软件成员' }))
  await screen.findByText(/^部分内容加载失败：系统异常/)
  api.set('router/lists', PEOPLE)
  await user.click(screen.getByRole('button', { name: '重试' }))
  await row('li.na@qiming')
})

it('says once what could not be read, counts and rows alike, and one retry reads both again', async () => {
  const user = userEvent.setup()
  const failed = { code: 500, msg: '系统异常' }
  const { api } = openPage('/router/lists', { 'router/lists': failed, 'router/quantity': failed })
  await screen.findByText(/^2 项内容加载失败：系统异常/)
  expect(screen.getAllByRole('button', { name: '重试' })).toHaveLength(1)
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  api.set('router/lists', PEOPLE)
  api.set('router/quantity', { data: QUANTITY })
  await user.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
