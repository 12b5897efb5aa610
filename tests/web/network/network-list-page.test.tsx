import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { AccountLive } from '#lib/live/account-live.tsx'
import { NetworkListPage } from '#pages/network/list/network-list-page.tsx'
import { setLiveState } from '../lib/fake-live.ts'
import { NO_STATES, createHealth } from '../lib/fixtures.ts'
import { chooseAction, findAction } from '../lib/row-menu.ts'
import { openPage, QUOTA } from './open-page.tsx'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
afterEach(() => void vi.useRealTimers())

const health = createHealth({
  members: { ...NO_STATES, online: 2, never: 1 },
  links: { up: 1, down: 0, one_sided: 0, unknown: 0, never: 1 },
})
const row = (number: string, over: object = {}) => ({
  network_number: number,
  network_name: `组网${number}`,
  network_status: 1,
  suspended_time: null,
  network_type: 1,
  network_service: 2,
  member_count: 3,
  online_count: 0,
  fr_name: '',
  fr_expire_day: null,
  create_time: 0,
  health,
  ...over,
})
const rows = [
  row('N1', { online_count: 2 }),
  row('N2', { network_type: 2, network_status: 0 }),
  row('N3', { network_type: 9 }),
]
const lists = { data: rows, count: 3 }
const open = (handlers = {}, user = {}, address = '/network/lists') =>
  openPage(
    <AccountLive>
      <NetworkListPage />
    </AccountLive>,
    address,
    { 'network/lists': lists, ...handlers },
    user,
  )
const findRow = async (name: string) => within((await screen.findByRole('link', { name })).closest('tr')!)

describe('the network list', () => {
  it('names types and states', async () => {
    open()
    expect((await findRow('组网N1')).queryByText('中心组网')).not.toBeNull()
    expect((await findRow('组网N2')).queryByText('点对点组网')).not.toBeNull()
    expect((await findRow('组网N2')).queryByText('已停用')).not.toBeNull()
    expect((await findRow('组网N3')).queryByText('POP组网')).not.toBeNull()
  })

  it('shows the health beside the contract, and each state as a number of its own', async () => {
    const down = { ...health, state: 'down', issues: 1, members: { ...NO_STATES, flapping: 1, offline: 2 } }
    const partial = { ...health, state: 'partial', issues: 3 }
    const data = [row('N1', { health: down }), row('N2', { health: partial }), row('N3'), row('N4', { health: null })]
    open({ 'network/lists': { data, count: 4 } })
    const shown = async (name: string) => {
      const found = await findRow(name)
      return [found.getByText(/./, { selector: '.nl-status-word' }).textContent, found.queryByText('有效') !== null]
    }
    expect(await shown('组网N1')).toEqual(['中断', true])
    expect(await shown('组网N2')).toEqual(['部分异常 (3)', true])
    expect(await shown('组网N3')).toEqual(['运行正常', true])
    expect(await shown('组网N4')).toEqual(['未知', true])
    expect((await findRow('组网N1')).queryByText('在线 0 · 抖动 1 · 离线 2')).not.toBeNull()
    expect((await findRow('组网N3')).queryByText('在线 2 · 从未上线 1')).not.toBeNull()
  })

  it('a POP resource whose term is over is part of the state, one that ends soon stands at its name', async () => {
    const pop = (fr_expire_day: number) => ({ network_type: 3, fr_name: '骨干接入', fr_expire_day })
    const data = [row('N1', pop(0)), row('N2', pop(12)), row('N3', pop(300)), row('N4')]
    open({ 'network/lists': { data, count: 4 } })
    const shown = async (name: string) => {
      const found = await findRow(name)
      return ['POP资源已过期', '还有 12 天', '骨干接入'].map((text) => found.queryByText(text) !== null)
    }
    expect(await shown('组网N1')).toEqual([true, false, true])
    expect(await shown('组网N2')).toEqual([false, true, true])
    expect(await shown('组网N3')).toEqual([false, false, true])
    expect(await shown('组网N4')).toEqual([false, false, false])
    expect(await findAction(await findRow('组网N1'), '重新接入POP')).not.toBeNull()
  })

  it('a channel that is down greys the health, shows a notice and polls, until it is back', async () => {
    const { pass } = holdLongTimers(1_000)
    const { api } = open()
    const tone = async () => (await findRow('组网N1')).getByText('运行正常').closest('.nl-status')?.className
    expect(await tone()).toContain('nl-tone-ok')
    await setLiveState('account', 'down')
    expect(screen.queryByText(/实时通道已断开，状态每 10 秒刷新一次/)).not.toBeNull()
    expect(await tone()).toContain('nl-tone-idle')
    const reads = () => api.paths().filter((path) => path === 'network/lists').length
    await waitFor(() => expect(reads()).toBe(2)) // at once, when the channel went down
    await pass(STATUS_POLL_MS)
    await waitFor(() => expect(reads()).toBe(3))
    await setLiveState('account', 'live')
    expect(screen.queryByText(/实时通道已断开/)).toBeNull()
    expect(await tone()).toContain('nl-tone-ok')
    await pass(2 * STATUS_POLL_MS)
    expect(reads()).toBe(3)
  })

  it.each([
    ['by how many the quota is exceeded', 9, 5, '超出 4 个 提交工单'],
    ['that no seat is left', 5, 5, '席位已用完（5/5），请移除不用的成员，或联系服务商扩容 提交工单'],
    ['that there are no seats', 0, 0, '尚未开通组网成员席位，请联系服务商开通 提交工单'],
  ])('shows %s, with the way out', async (_, used, count, text) => {
    open({ 'network/config': { data: { ...QUOTA, network_router_use: used, network_router_count: count } } })
    const link = await screen.findByRole('link', { name: '提交工单' })
    expect(link.parentElement?.textContent).toBe(text)
    expect(link.getAttribute('href')).toBe(`/ticket/create?request=${count === 0 ? 'service' : 'seats'}`)
  })

  it('counts links whose ends both came, members with a single centre, and applied configurations', async () => {
    const counted = createHealth({
      links: { up: 60, down: 4, one_sided: 1, unknown: 1, never: 8 },
      single_center: 5,
      config: { applied: 34, total: 35 },
    })
    const none = createHealth({ links: { ...health.links, up: 0, never: 2 }, config: { applied: 0, total: 0 } })
    const data = [row('N1', { health: counted }), row('N2', { health: none }), row('N3', { health: null })]
    open({ 'network/lists': { data, count: 3 } })
    await findRow('组网N1')
    const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    const cells = screen
      .getAllByRole('row')
      .slice(1)
      .map((one) => ['链路', '配置生效'].map((title) => one.children[titles.indexOf(title)]?.textContent))
    expect(cells).toEqual([
      ['60/66（未知 1）单中心 5', '34/35'],
      ['—', '—'],
      ['—', '—'],
    ])
  })

  it('a read-only role has neither rename nor delete, and sees why it cannot create', async () => {
    open({}, { ram: 1, flags: [] })
    const first = await findRow('组网N1')
    expect(first.queryByRole('link', { name: '详情 组网N1' })).not.toBeNull()
    expect(first.queryByRole('button')).toBeNull() // neither a verb nor ⋯
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '创建组网' }).disabled).toBe(true)
  })

  it('a network in use is deleted only once its name is typed', async () => {
    const { api } = open({ 'network/delete': { msg: '删除成功' } })
    await chooseAction(await findRow('组网N1'), '删除')
    const dialog = within(await screen.findByRole('alertdialog', { name: '删除组网“组网N1”？' }))
    expect(dialog.queryByText(/^是否确定删除\? N1 的 3 个成员会退出该组网/)).not.toBeNull()
    const verb = dialog.getByRole<HTMLButtonElement>('button', { name: '删除组网' })
    expect(verb.disabled).toBe(true)
    await userEvent.type(dialog.getByRole('textbox'), '组网N1')
    await userEvent.click(verb)
    await waitFor(() => expect(api.last('network/delete')?.input).toEqual({ network_number: 'N1' }))
    await screen.findByText('删除成功')
  })

  it('names the open order that is cancelled with a network', async () => {
    const ticket = { network_ticket_number: '900000000001', network_number: 'N2', service_name: '接入POP' }
    const data = [
      { ...ticket, network_ticket_number: '1', network_ticket_status: 3 },
      { ...ticket, network_ticket_status: 2 },
    ]
    open({ 'network/ticket_lists': { data, count: 2 } })
    await chooseAction(await findRow('组网N2'), '删除')
    const dialog = within(await screen.findByRole('alertdialog', { name: '删除组网“组网N2”？' }))
    dialog.getByText(/接入POP工单 900000000001（处理中）会一并取消/)
    await userEvent.click(dialog.getByRole('button', { name: '取消' }))
  })

  it('a refused delete keeps the dialog open with the reason', async () => {
    open({ 'network/delete': { code: 403, msg: '没有操作权限，请联系主账号授权' } })
    await chooseAction(await findRow('组网N2'), '删除')
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.click(dialog.getByRole('button', { name: '删除组网' }))
    expect((await dialog.findByRole('alert')).textContent).toBe('没有操作权限，请联系主账号授权')
  })

  it('renames, and refuses an empty name', async () => {
    const { api } = open({ 'network/name': { msg: '修改成功' } })
    await chooseAction(await findRow('组网N2'), '重命名')
    const dialog = within(await screen.findByRole('dialog', { name: '修改组网名称' }))
    const input = dialog.getByRole<HTMLInputElement>('textbox')
    expect(input.maxLength).toBe(-1)
    dialog.getByText(/^\d+\/24$/)
    await userEvent.clear(input)
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await dialog.findByText('请输入网络名称')
    await userEvent.type(input, '新名称')
    await userEvent.click(dialog.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('network/name')?.input).toEqual({ network_number: 'N2', network_name: '新名称' }),
    )
  })

  it('sorts by a click on a heading, and keeps that in the address', async () => {
    const { api, router } = open()
    await findRow('组网N1')
    expect(api.last('network/lists')?.input).toMatchObject({ sort: 'status', order: 'desc', limit: '10' })
    await userEvent.click(screen.getByRole('button', { name: '成员数' }))
    await waitFor(() => expect(api.last('network/lists')?.input).toMatchObject({ sort: 'members', order: 'desc' }))
    expect(router.state.location.search).toBe('?sort=members')
    expect(screen.getByRole('columnheader', { name: '成员数' }).getAttribute('aria-sort')).toBe('descending')
    await userEvent.click(screen.getByRole('button', { name: '成员数' }))
    await waitFor(() => expect(api.last('network/lists')?.input).toMatchObject({ sort: 'members', order: 'asc' }))
  })

  it('filters by state with numbers, in the address; a row that has changed since stays until it is read again', async () => {
    const states = { suspended: 1, down: 2, partial: 0, unknown: 3, ok: 5, never: 0 }
    const down = row('N1', { health: { ...health, state: 'down' } })
    const { api, router } = open({ 'network/lists': { data: [down, row('N2')], count: 2, states } })
    await findRow('组网N1')
    const chips = within(screen.getByRole('group', { name: '组网状态' }))
    expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      '共 11',
      '中断 2',
      '已停用 1',
      '未知 3',
      '运行正常 5',
    ])
    expect(screen.queryByText(/已不符合筛选/)).toBeNull()
    await userEvent.click(chips.getByRole('button', { name: '中断 2' }))
    await waitFor(() => expect(api.last('network/lists')?.input).toMatchObject({ state: 'down', page: '1' }))
    expect(router.state.location.search).toBe('?state=down')
    await screen.findByText('1 行已不符合筛选')
  })

  it.each(['down', 'suspended', 'nothing'])('takes the filter %s from the address', async (state) => {
    const { api } = open({}, {}, `/network/lists?state=${state}`)
    await findRow('组网N1')
    expect(api.last('network/lists')?.input).toMatchObject({ state: state === 'nothing' ? '' : state })
  })

  it('steps back from a page that a deletion has emptied', async () => {
    const { router } = open(
      {
        'network/lists': ({ input }: { input: Record<string, unknown> }) =>
          input['page'] === '2' ? { data: [], count: 3 } : lists,
      },
      {},
      '/network/lists?page=2',
    )
    await findRow('组网N1')
    expect(router.state.location.search).toBe('')
  })
})
