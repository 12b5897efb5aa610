import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TicketCreatePage } from '#pages/network/pop/tickets/ticket-create-page.tsx'
import { navigation } from '#lib/navigation.ts'
import { openPage } from '../open-page.tsx'
import { NETWORK_TICKET } from '#contract/network/limits.ts'

const config = {
  ticket: {
    bandwidth: { min: 1, max: 150 },
    expired_time: [{ value: 1 }, { value: 2 }],
    pop: [
      { value: 7, name: '上海' },
      { value: 8, name: '广州' },
    ],
  },
  member: [
    { router_name: 'NL-1', note: '总部' },
    { router_name: 'NL-2', note: '' },
  ],
  refused: null,
}
const open = (handlers = {}) =>
  openPage(<TicketCreatePage />, '/network/ticket_create?network_number=N1', {
    'network/ticket_config': { data: config },
    'network/ticket': { data: { network_ticket_number: '900000000001' }, msg: '提交成功' },
    ...handlers,
  })
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const rowsOf = (name: string) => within(screen.getByRole('grid', { name })).queryAllByRole('row')
/** Chooses an area, a term and a bandwidth. */
const choose = async (area = '上海') => {
  await userEvent.click(await screen.findByRole('checkbox', { name: area }))
  await click('1 年')
  await click('50 Mbps')
}
const back = vi.spyOn(navigation, 'back').mockImplementation(() => {})

beforeEach(() => back.mockClear())
afterEach(() => void vi.useRealTimers())

describe('network 2 · POP access wizard', () => {
  it('offers bandwidths within the bounds; the slider has the same bounds', async () => {
    open()
    const offered = await screen.findByRole('group', { name: '常用带宽' })
    expect(
      within(offered)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['1 Mbps', '50 Mbps', '100 Mbps', '150 Mbps'])
    const slider = screen.getByRole('slider')
    expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['1', '150'])
  })

  it.each([
    ['an order that is open', '900000000001', '查看未完成的工单'],
    ['another reason', '', '返回组网'],
  ])('does not begin where it would be refused at the end: %s', async (_, network_ticket_number, way) => {
    const refused = { reason: 'NETWORK_TICKET_OPEN', msg: '该组网已有未完成的接入POP工单', network_ticket_number }
    open({ 'network/ticket_config': { data: { ...config, refused } } })
    await screen.findByText('该组网已有未完成的接入POP工单')
    expect(screen.getByRole('button', { name: way })).not.toBeNull()
    expect(screen.queryByRole('button', { name: '下一步' })).toBeNull()
  })

  it('chooses nothing by itself: three presses order nothing, and all that is missing is marked', async () => {
    open()
    await click('下一步')
    const alerts = (await screen.findAllByRole('alert')).map(({ textContent }) => textContent)
    expect(alerts).toEqual(['至少选择一个', '请选择有效期', '请选择带宽'])
    expect(screen.queryByRole('grid', { name: '可选成员' })).toBeNull()
    await choose()
    expect(screen.queryAllByRole('alert')).toEqual([])
    await click('下一步')
    expect(screen.queryByRole('grid', { name: '可选成员' })).not.toBeNull()
  })

  it('keeps the last area and says so', async () => {
    open()
    await userEvent.click(await screen.findByRole('checkbox', { name: '上海' }))
    await userEvent.click(await screen.findByRole('checkbox', { name: '上海' }))
    expect(await screen.findByText('至少选择一个')).not.toBeNull()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '上海' }).checked).toBe(true)
  })

  it('submits what was chosen, says 提交成功 and goes back after 500 ms', async () => {
    const { api } = open()
    await choose()
    await userEvent.click(await screen.findByRole('checkbox', { name: '广州' }))
    await click('2 年')
    await click('下一步')
    await click('移入 总部')
    expect([rowsOf('可选成员'), rowsOf('上海的成员')].map((rows) => rows.length)).toEqual([1, 1])
    await click('下一步')
    expect(screen.getByText('上海的成员').nextSibling?.textContent).toBe('总部')
    expect(screen.getByRole('region', { name: '提交以后' }).querySelectorAll('li').length).toBe(3)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name: '提交' }))
    await vi.waitFor(() => expect(screen.getAllByText('提交成功').length).toBeGreaterThan(0), { timeout: 20_000 })
    expect(api.last('network/ticket')?.input).toEqual({
      network_number: 'N1',
      ticket: { pop: [7, 8], expired_time: 2, bandwidth: 50 },
      pop_conf: { '7': ['NL-1'], '8': [] },
    })
    act(() => void vi.advanceTimersByTime(NETWORK_TICKET.backMs))
    expect(back).toHaveBeenCalledExactlyOnceWith('/network/detail?network_number=N1')
  })

  it('returns all members to the pool on the way back from the last step', async () => {
    open()
    await choose()
    await click('下一步')
    await click('移入 总部')
    await click('下一步')
    await click(/返回上一步/)
    expect(rowsOf('可选成员')).toHaveLength(2)
  })

  it('shows why an order is refused and stays', async () => {
    open({ 'network/ticket': { code: 422, msg: '该组网已有未完成的工单', reason: 'NETWORK_TICKET_OPEN' } })
    await choose()
    await click('下一步')
    await click('下一步')
    await click('提交')
    expect((await screen.findByRole('alert')).textContent).toContain('该组网已有未完成的工单')
    expect(back).not.toHaveBeenCalled()
  })

  it('says 暂不可购买 where no area is offered', async () => {
    open({ 'network/ticket_config': { data: { ...config, ticket: { ...config.ticket, pop: [] } } } })
    expect(await screen.findByText('暂不可购买')).not.toBeNull()
  })

  it('leaves for the list of networks where the network is gone, and offers another try after a failure', async () => {
    const { api } = open({ 'network/ticket_config': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByText('加载失败')
    api.set('network/ticket_config', { code: 204, msg: '组网不存在或已被删除' })
    await click('重试')
    expect(await screen.findByText('elsewhere')).not.toBeNull()
  })
})
