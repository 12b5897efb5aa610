import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createMember, states } from './fixtures.ts'
import { setLiveState, emitFrame } from '../lib/fake-live.ts'
import { chooseAction, findAction } from '../lib/row-menu.ts'
import { row, words } from './list-rows.ts'
import { openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const LIST = {
  data: [
    createMember('NL-A', { note: '上海', network_count: 2 }),
    createMember('NL-B', { ...states({ state: 'offline' }) }),
  ],
  count: 2,
}
const hardware = { 'router/lists': LIST }

it('shows what decides: networks, LAN, and how long a state has lasted; the rest once it is chosen', async () => {
  const user = userEvent.setup()
  const member = createMember('NL-A', {
    note: '上海',
    networks: ['华东网', '备份网'].map((network_name, i) => ({ network_number: `N${i}`, network_name })),
    lan: ['192.168.9.0/24'],
    // Away since it was last seen, not since the decision.
    presence: { state: 'offline', since: Date.now(), last_seen: Date.now() - 42 * 60_000 - 5_000, reason: '' },
  })
  openPage('/router/lists', { 'router/lists': { data: [member], count: 1 } })
  const shown = await row('NL-A')
  expect(shown.getByRole('link', { name: '华东网' }).getAttribute('href')).toBe('/network/detail?network_number=N0')
  expect(shown.queryByLabelText('另有 1 个组网')).not.toBeNull()
  expect(shown.queryByText('192.168.9.0/24')).not.toBeNull()
  expect(shown.queryByText('42 分')).not.toBeNull()
  expect(screen.queryByRole('columnheader', { name: '型号' })).toBeNull()

  await user.click(screen.getByRole('button', { name: '选择显示的列' }))
  await user.click(await screen.findByRole('checkbox', { name: '型号' }))
  await user.click(screen.getByRole('checkbox', { name: 'LAN 网段' }))
  expect(screen.queryByRole('columnheader', { name: '型号' })).not.toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'LAN 网段' })).toBeNull()
  const kept = () => Object.entries(localStorage).filter(([key]) => key.startsWith('netloom-columns:'))
  expect(kept()).toEqual([[expect.stringMatching(/^netloom-columns:\d .+:硬件成员$/), 'model,lan']])
  await user.click(screen.getByRole('button', { name: '恢复默认' }))
  expect(screen.queryByRole('columnheader', { name: '型号' })).toBeNull()
  expect(kept()).toEqual([])
})

it('a row that leaves the filter stays, and a bar says so until the list is read again', async () => {
  const user = userEvent.setup()
  const { api } = openPage('/router/lists?state=online', hardware)
  await row('NL-A')
  expect(screen.queryByText('1 行已不符合筛选')).not.toBeNull() // NL-B is offline already
  await setLiveState('account', 'live')
  await emitFrame('account', { type: 'routers', data: [{ router_name: 'NL-A', ...states({ state: 'offline' }) }] })
  expect(screen.queryByText('2 行已不符合筛选')).not.toBeNull()
  expect((await words('NL-A'))[0]).toBe('离线')
  api.set('router/lists', { data: [createMember('NL-C')], count: 1 })
  await user.click(screen.getByRole('button', { name: '刷新' }))
  await row('NL-C')
  expect(screen.queryByText(/已不符合筛选/)).toBeNull()
  expect(screen.queryByRole('row', { name: /NL-A/ })).toBeNull()
})

it('a member that is also in networks beyond the role is not its to change, and the menu says so', async () => {
  openPage('/router/lists', { 'router/lists': { data: [createMember('NL-A', { shared: 1 })], count: 1 } })
  const note = await findAction(await row('NL-A'), '备注')
  expect(note.getAttribute('aria-disabled')).toBe('true')
  expect(note.textContent).toContain(ERRORS.ROUTER_SHARED.msg)
})

it('several members are deleted by one call; what stays says why', async () => {
  const user = userEvent.setup()
  const result = [
    { router_name: 'NL-A', deleted: 0, msg: '该成员是唯一的中心点' },
    { router_name: 'NL-B', deleted: 1, msg: '' },
  ]
  const { api } = openPage('/router/lists', {
    ...hardware,
    'router/batch_delete': { data: { deleted: 1, result }, msg: '删除成功' },
  })
  await row('NL-A')
  await user.click(screen.getByRole('checkbox', { name: '选择 上海' }))
  await user.click(screen.getByRole('checkbox', { name: '选择 NL-B' }))
  await user.click(screen.getByRole('button', { name: '批量删除' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: '删除 2 个硬件成员？' }))
  await user.type(dialog.getByRole('textbox'), '确认操作')
  await user.click(dialog.getByRole('button', { name: '删除 2 个成员' }))
  const report = within(await screen.findByRole('dialog', { name: '删除硬件成员的结果' }))
  expect(report.queryByText('该成员是唯一的中心点')).not.toBeNull()
  expect(api.paths().filter((path) => path === 'router/batch_delete')).toHaveLength(1)
  expect(api.last('router/batch_delete')?.input).toEqual({ router_name: ['NL-A', 'NL-B'] })
  expect(screen.queryByRole('region', { name: '已选内容' })).toBeNull()
})

it('a deletion by list ends with its result table, also where all went', async () => {
  const user = userEvent.setup()
  const result = ['NL-A', 'NL-B'].map((router_name) => ({ router_name, deleted: 1, msg: '' }))
  openPage('/router/lists', { ...hardware, 'router/batch_delete': { data: { deleted: 2, result }, msg: '删除成功' } })
  await row('NL-A')
  await user.click(screen.getByRole('checkbox', { name: '选择 上海' }))
  await user.click(screen.getByRole('checkbox', { name: '选择 NL-B' }))
  await user.click(screen.getByRole('button', { name: '批量删除' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: '删除 2 个硬件成员？' }))
  await user.type(dialog.getByRole('textbox'), '确认操作')
  await user.click(dialog.getByRole('button', { name: '删除 2 个成员' }))
  const report = within(await screen.findByRole('dialog', { name: '删除硬件成员的结果' }))
  expect(report.getByRole('status').textContent).toBe('共 2 条：成功 2，失败 0')
  expect(report.getAllByText('成功', { selector: '.nl-status' })).toHaveLength(2)
})

it.each([
  ['NL-A', '硬件', true],
  ['li.na@qiming', '软件', false],
] as const)('a deletion of %s (%s member) speaks of centres only where it can be one', async (name, kind, isSaid) => {
  const user = userEvent.setup()
  const type = kind === '软件' ? 2 : 1
  openPage(`/router/lists?type=${type}`, { 'router/lists': { data: [createMember(name)], count: 1 } })
  await row(name)
  await user.click(screen.getByRole('checkbox', { name: `选择 ${name}` }))
  const chosen = within(await screen.findByRole('region', { name: '已选内容' }))
  await user.click(chosen.getByRole('button', { name: '批量删除' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: `删除 1 个${kind}成员？` }))
  expect(dialog.queryByText(/中心点/) !== null).toBe(isSaid)
  await user.click(dialog.getByRole('button', { name: '取消' }))
})

it('announces the number of results', async () => {
  openPage('/router/lists?search=x&page=2', { 'router/lists': { data: LIST.data, count: 12 } })
  await waitFor(() =>
    expect(screen.getAllByRole('status').map((s) => s.textContent)).toContain('硬件成员 12 条，第 2 页'),
  )
})

it('after a deletion the focus is in the row that took the place', async () => {
  const { api } = openPage('/router/lists', { ...hardware, 'router/delete': { msg: '删除成功' } })
  const user = userEvent.setup()
  await chooseAction(await row('NL-A'), '删除')
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.type(dialog.getByRole('textbox'), 'NL-A')
  api.set('router/lists', { data: [LIST.data[1]], count: 1 })
  await user.click(dialog.getByRole('button', { name: '删除成员' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /NL-A/ })).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('NL-B'))
})

it('shows how many links of a device are up, and 单中心; read again when a network changed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const whole = { up: 2, unknown: 0, total: 2, single_center: 0 }
  const single = { up: 1, unknown: 0, total: 2, single_center: 1 }
  const { api } = openPage('/router/lists', { ...hardware, 'router/paths': { data: { 'NL-A': whole, 'NL-B': null } } })
  await (await row('NL-A')).findByText('2/2')
  expect(api.last('router/paths')?.input).toEqual({ router_name: 'NL-A,NL-B' })
  expect((await row('NL-B')).getAllByText('—').length).toBeGreaterThan(0)
  api.set('router/paths', { data: { 'NL-A': single, 'NL-B': { up: 0, unknown: 0, total: 2, single_center: 0 } } })
  await setLiveState('account', 'live')
  await emitFrame('account', { type: 'networks', data: [{ network_number: 'N1', health: {} as never }] })
  await vi.advanceTimersByTimeAsync(2_000)
  const amber = await (await row('NL-A')).findByText('1/2 单中心')
  expect(amber.closest('.nl-status')?.className).toContain('nl-tone-warn')
  const away = (await row('NL-B')).getByText('0/2') // its absence explains its links
  expect(away.closest('.nl-status')?.className).toContain('nl-tone-idle')
  vi.useRealTimers()
})
