import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { FrListPage } from '#pages/network/pop/fr-list-page.tsx'
import { TicketDetailPage } from '#pages/network/pop/tickets/ticket-detail-page.tsx'
import { TicketListPage } from '#pages/network/pop/tickets/ticket-list-page.tsx'
import { chooseAction, findAction } from '#tests/web/lib/row-menu.ts'
import { openPage } from '../open-page.tsx'

const DAY_1 = Date.parse('2026-11-20T02:00:00Z')
const ticket = (status: number, over: object = {}) => ({
  network_ticket_number: `90000000000${status}`,
  network_number: 'N1',
  network_name: '总部互联',
  network_ticket_type: 1001,
  network_ticket_status: status,
  service_name: '接入POP',
  create_time: DAY_1,
  complete_time: status === 3 ? DAY_1 : null,
  ...over,
})
const rows = [1, 2, 3, 4].map((status) => ticket(status))
const openList = (handlers = {}, user = {}, query = '') =>
  openPage(
    <TicketListPage />,
    `/network/ticket_lists${query}`,
    { 'network/ticket_lists': { data: rows, count: 4 }, ...handlers },
    user,
  )
const findRow = async (status: number) =>
  within((await screen.findByRole('link', { name: `90000000000${status}` })).closest('tr')!)

describe('network 2 · network ticket list', () => {
  it('shows type, status and the completion of completed ones', async () => {
    openList()
    const completed = await findRow(3)
    expect(completed.getByText('接入POP工单')).not.toBeNull()
    expect(completed.getByText('已完成')).not.toBeNull()
    expect(completed.getAllByText('2026-11-20 10:00:00')).toHaveLength(2)
    const words = ['未处理', '处理中', '已完成', '已取消']
    for (const [i, word] of words.entries()) expect((await findRow(i + 1)).queryByText(word)).not.toBeNull()
  })

  it('sends search, status and range of days', async () => {
    const { api } = openList({}, {}, '?search=N1&status=2&range=2026-11-01~2026-11-02')
    await findRow(1)
    expect(api.last('network/ticket_lists')?.input).toMatchObject({
      search: 'N1',
      status: '2',
      start_time: String(Date.parse('2026-11-01T00:00:00+08:00')),
      end_time: String(Date.parse('2026-11-03T00:00:00+08:00') - 1),
    })
  })

  it('cancels a completed one after it said that the resource stays', async () => {
    const { api } = openList({ 'network/ticket_cancel': { msg: '取消成功' } })
    await chooseAction(await findRow(3), '取消工单')
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain('是否取消工单?')
    expect(dialog.textContent).toContain('已开通的POP资源会保留，直到服务商撤销')
    await userEvent.click(within(dialog).getByRole('button', { name: '取消工单' }))
    expect(await screen.findByText('取消成功')).not.toBeNull()
    expect(api.last('network/ticket_cancel')?.input).toEqual({ network_ticket_number: '900000000003' })
  })

  it('names why a status cannot be deleted', async () => {
    openList()
    const action = await findAction(await findRow(2), '删除')
    expect(action.textContent).toContain('工单当前为“处理中”，仅未处理或已取消的工单可以删除')
  })

  it('offers neither to a role without the right', async () => {
    openList({}, { ram: 1, flags: [] })
    expect((await findRow(1)).queryByRole('button', { name: /的更多操作$/ })).toBeNull()
  })
})

describe('network 2 · network ticket detail', () => {
  const detail = ticket(3, {
    note: '已开通',
    attributes: {
      bandwidth: 50,
      expired_time: 2,
      pop: [
        { value: 7, name: '上海' },
        { value: 8, name: '广州' },
      ],
      pop_conf: { '7': ['NL-1', 'NL-2'], '8': [] },
    },
    member: [
      { router_name: 'NL-1', note: '总部' },
      { router_name: 'NL-2', note: '' },
    ],
  })
  const open = (handlers = {}) =>
    openPage(<TicketDetailPage />, '/network/ticket_detail?network_number=N1&network_ticket_number=900000000003', {
      'network/ticket_view': { data: detail },
      ...handlers,
    })
  const fact = async (label: string) => (await screen.findByText(label)).nextSibling?.textContent

  it('shows attributes and the members of each area', async () => {
    open()
    expect(await fact('带宽')).toBe('50 Mbps')
    expect(await fact('有效期')).toBe('2 年')
    expect(await fact('POP区域')).toBe('上海、广州')
    expect(await fact('上海')).toBe('总部、NL-2')
    expect(await fact('广州')).toBe('暂未分配成员')
    expect(await fact('完成时间')).toBe('2026-11-20 10:00:00')
    expect(await fact('处理说明')).toBe('已开通')
  })

  it('has no completion time in another status, and can be deleted once cancelled', async () => {
    const { api } = open({
      'network/ticket_view': { data: { ...detail, network_ticket_status: 4 } },
      'network/ticket_delete': { msg: '删除成功' },
    })
    const head = await screen.findByRole('heading', { name: '接入POP工单' })
    await chooseAction(within(head.closest<HTMLElement>('.nl-page-head')!), '删除')
    expect(screen.queryByText('完成时间')).toBeNull()
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '删除工单' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(api.last('network/ticket_delete')?.input).toEqual({ network_ticket_number: '900000000003' })
  })

  it('leaves for the list where the ticket is gone', async () => {
    open({ 'network/ticket_view': { code: 204, msg: '工单不存在或已被删除' } })
    expect(await screen.findByText('elsewhere')).not.toBeNull()
  })
})

describe('network 2 · POP resource list', () => {
  const fr = (id: number, expire_day: number, over: object = {}) => ({
    network_fr_id: id,
    name: `资源${id}`,
    create_time: DAY_1,
    expire_time: DAY_1 + 365 * 86_400_000,
    expire_day,
    status: 1,
    networks: [{ network_name: '总部互联', network_number: 'N1' }],
    areas: [{ name: '上海', bandwidth: 50 }],
    ...over,
  })
  const open = (data: readonly object[]) =>
    openPage(<FrListPage />, '/network/fr_lists', { 'network_fr/lists': { data, count: data.length } })

  it.each([
    [0, '已过期', 'nl-expiry-past'],
    [7, '还有 7 天', 'nl-expiry-urgent'],
    [30, '还有 30 天', 'nl-expiry-soon'],
    [31, '还有 31 天', 'nl-expiry-normal'],
  ])('with %i days left', async (days, text, tone) => {
    open([fr(1, days)])
    expect((await screen.findByText(text)).className).toContain(tone)
  })

  it('status 1 is valid, anything else is processed; areas have their bandwidth', async () => {
    open([fr(1, 40), fr(2, 40, { status: 0, networks: [] })])
    expect(await screen.findByText('有效')).not.toBeNull()
    expect(screen.getByText('处理中')).not.toBeNull()
    expect(screen.getAllByText('2026-11-20 10:00:00')).toHaveLength(2)
    expect(screen.getAllByText('2027-11-20 10:00:00')).toHaveLength(2) // the end, too
    expect(screen.getAllByText('上海 50 Mbps')).toHaveLength(2)
    expect(screen.getByRole('link', { name: '总部互联' })).not.toBeNull()
  })

  it('cannot be extended', async () => {
    open([fr(1, 3)])
    await userEvent.click(await screen.findByRole('button', { name: '延期 资源1' }))
    expect(await screen.findByText('暂时无法延期')).not.toBeNull()
  })
})
