import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { at, open } from '../open-network.tsx'

const AT = Date.parse('2026-11-20T02:00:00Z')
const HOUR = 3_600_000
const version = (n: number, time: number) => ({
  version: n,
  at: time,
  actor: 'demo01',
  changes: [{ title: `设置 ${n}`, old: '关闭', new: '开启' }],
})
const HANDLERS = {
  'network/events': {
    data: {
      from: AT - HOUR,
      to: AT + HOUR,
      transitions: [
        { router_name: 'p1', note: '上海门店', from: 'online', to: 'offline', at: AT, reason: '75 秒未收到心跳' },
      ],
    },
  },
  'network/versions': {
    data: [version(3, AT + 2 * HOUR), version(2, AT - HOUR / 2), version(1, AT - 3 * HOUR)],
    revision: 1,
  },
}

describe('account 2 · an alert opens the network at that time', () => {
  it('connections of members and changes of settings within an hour of it; closing leaves the time', async () => {
    const { api, router } = open(HANDLERS, {}, at(`view=table&at=${AT}`))
    const drawer = within(await screen.findByRole('dialog', { name: '2026-11-20 10:00:00 前后 1 小时' }))
    expect(await drawer.findByText('75 秒未收到心跳')).not.toBeNull()
    expect(drawer.getByRole('link', { name: '上海门店' }).getAttribute('href')).toBe(
      `/router/detail?router_name=p1&at=${AT}`,
    )
    expect(drawer.getByText('设置 2')).not.toBeNull()
    for (const other of ['设置 1', '设置 3']) expect(drawer.queryByText(other)).toBeNull()
    expect(api.last('network/events')?.input).toEqual({ network_number: 'N1', at: String(AT) })
    await userEvent.keyboard('{Escape}')
    expect(router.state.location.search).toBe('?network_number=N1&view=table')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('without a time in the address there is none', async () => {
    const { api } = open(HANDLERS)
    await screen.findByRole('heading', { level: 1 })
    expect(api.paths()).not.toContain('network/events')
  })
})
