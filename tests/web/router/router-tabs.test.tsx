import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { Tunnel } from '#ui/member/tunnels/tunnel-table.tsx'
import { chooseAction } from '#tests/web/lib/row-menu.ts'
import { createNetwork, createRouter } from './fixtures.ts'
import { type Handlers, openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
vi.mock('#ui/chart/chart-canvas.tsx', () => ({ default: () => null }))

afterEach(() => localStorage.clear())

const LINK: Tunnel = {
  id: 'N1:NL-1>NL-C',
  kind: 'access',
  router_name: 'NL-1',
  router_name_note: '',
  peer: 'NL-C',
  peer_note: '总部',
  state: 'down',
  reason: '对端无应答',
  since: 1_000,
  cipher: 'AES-256-GCM',
  remote_ip: '203.0.113.9:4000',
  vpn_ip: '100.64.0.7',
  rtt_ms: 12,
  loss: 15,
  down: 1_500_000,
  upload: 250_000,
  carrier: 'tunnel',
}
const SESSION: Tunnel = {
  ...LINK,
  id: 'dial:NL-1:k',
  kind: 'software',
  router_name: 'li@qiming',
  router_name_note: '李娜',
  peer: 'NL-1',
  peer_note: '',
  state: 'up',
  reason: '',
  cipher: '',
  rtt_ms: null,
  loss: null,
}

const openTunnels = (handlers: Handlers, network = [createNetwork('N1', '华东生产网')], user = {}) =>
  openPage(
    '/router/detail?router_name=NL-1&tab=tunnels',
    { 'router/info': { data: createRouter('NL-1', { network }) }, ...handlers },
    user,
  )
const findRow = async (name: RegExp) => within((await screen.findByRole('rowheader', { name })).closest('tr')!)

it('shows the tunnels of a router with cipher, loss and bytes, and its software sessions', async () => {
  const { api } = openTunnels({ 'network/tunnels': { data: [LINK, SESSION], count: 2 } })
  const row = await findRow(/^总部/)
  for (const text of ['断开', '12 ms', '1.5%', 'AES-256-GCM', '12.00 Mb / 2.00 Mb', '203.0.113.9:4000', '100.64.0.7'])
    expect([text, row.queryByText(text) !== null]).toEqual([text, true])
  expect(api.last('network/tunnels')?.input).toMatchObject({ network_number: 'N1', router_name: 'NL-1' })
  expect((await findRow(/^李娜/)).queryByText('软件接入')).not.toBeNull()
})

it('ends a session for good once it is confirmed; a role without the right has no such action', async () => {
  const handlers = { 'network/tunnels': { data: [LINK, SESSION], count: 2 } }
  const { api } = openTunnels({ ...handlers, 'network/kill_user': { msg: '已受理', data: { job_id: '0'.repeat(32) } } })
  await chooseAction(await findRow(/^李娜/), '强制下线')
  const dialog = within(await screen.findByRole('alertdialog', { name: '强制下线“李娜”？' }))
  dialog.getByText(/之后可以再次拨入/)
  await userEvent.click(dialog.getByRole('button', { name: '强制下线' }))
  await screen.findByText('已受理')
  expect(api.last('network/kill_user')?.input).toEqual({ network_number: 'N1', router_name: 'li@qiming', halt: 1 })
  cleanup()
  openTunnels(handlers, undefined, { ram: 1, flags: [] })
  await findRow(/^李娜/)
  expect(screen.queryByRole('button', { name: /强制下线/ })).toBeNull()
})

it('is about one network at a time, says when there is none, and keeps the tab in the address', async () => {
  const networks = [createNetwork('N1', '华东生产网'), createNetwork('N2', '办公网')]
  const { api, address } = openTunnels({ 'network/tunnels': { data: [], count: 0 } }, networks)
  await screen.findByText('暂无隧道')
  screen.getByRole('combobox', { name: '组网' })
  expect(api.last('network/tunnels')?.input).toMatchObject({ network_number: 'N1' })
  await userEvent.click(screen.getByRole('tab', { name: '概览' }))
  expect(address()).toBe('/router/detail?router_name=NL-1')
  await screen.findByRole('heading', { level: 2, name: '链路' })
  await userEvent.click(screen.getByRole('tab', { name: '隧道' }))
  expect(address()).toBe('/router/detail?router_name=NL-1&tab=tunnels')
  cleanup()
  openTunnels({}, [])
  await screen.findByText('尚未加入任何组网')
})

it('a failed read can be repeated', async () => {
  openTunnels({ 'network/tunnels': { code: 500, msg: '服务繁忙' } })
  await screen.findByRole('button', { name: '重试' })
})

it('shows its routes beside those of the device, and its diagnoses, in the other tabs', async () => {
  const routes = { data: [], count: 0, differences: 0, router_name: 'NL-1', at: null, notice: '设备离线' }
  const { api } = openTunnels({
    'network/tunnels': { data: [], count: 0 },
    'network/actual_routes': routes,
    'network/diagnoses': { data: [], count: 0 },
    'network/info': { data: { network_number: 'N1', member: [], link: [] } },
  })
  await userEvent.click(await screen.findByRole('tab', { name: '路由' }))
  await screen.findByText('设备离线')
  expect(api.last('network/actual_routes')?.input).toMatchObject({ network_number: 'N1', router_name: 'NL-1' })
  await userEvent.click(screen.getByRole('tab', { name: '诊断' }))
  await screen.findByText('暂无诊断记录')
  await userEvent.click(screen.getByRole('button', { name: '开始诊断' }))
  await screen.findByRole('dialog', { name: '诊断' })
})

it('lets a role without the right look at diagnoses alone', async () => {
  openTunnels({ 'network/tunnels': { data: [], count: 0 }, 'network/diagnoses': { data: [], count: 0 } }, undefined, {
    ram: 1,
    flags: [],
  })
  await userEvent.click(await screen.findByRole('tab', { name: '诊断' }))
  await screen.findByText('暂无诊断记录')
  expect(screen.queryByRole('button', { name: '开始诊断' })).toBeNull()
})
