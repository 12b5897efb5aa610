// The page loads these lazily; no test waits for the import.
import '#pages/router/detail/endpoints-dialog.tsx'
import '#pages/router/detail/replace-dialog.tsx'
import '#ui/member/static-routes-dialog.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import type { Permission } from '#contract/kernel/permissions.ts'
import { chooseAction } from '../lib/row-menu.ts'
import { createInterface, createRouter } from './fixtures.ts'
import { header, info, open } from './open-detail.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
vi.mock('#ui/chart/chart-canvas.tsx', () => import('../lib/fake-chart.tsx'))
afterEach(() => localStorage.clear())

const ROUTE = { prefix: '10.20.0.0', mask: 16, via: '192.168.10.254' }
const dialogNamed = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('接入地址', () => {
  async function openEndpoints(hosts: readonly string[], reply: object = { data: null, msg: '设置成功' }) {
    const endpoints = hosts.map((host) => ({ host }))
    const page = await open({ ...info({ endpoints, endpoints_revision: 3 }), 'router/endpoints': reply })
    await chooseAction(header(), '接入地址')
    const dialog = await dialogNamed(/^接入地址 · /)
    const press = (name: string) => page.user.click(dialog.getByRole('button', { name }))
    const type = async (text: string) => {
      const box = dialog.getAllByLabelText(/^地址/, { selector: 'input' }).at(-1)!
      await page.user.clear(box)
      await page.user.type(box, text)
    }
    return { ...page, dialog, press, type }
  }

  it('are added, moved up and sent in their order, with their revision', async () => {
    const { api, dialog, press, type } = await openEndpoints(['198.51.100.7'])
    await press('添加地址')
    await type('vpn.example.com')
    await press('上移第 2 个接入地址')
    expect(dialog.getByRole('button', { name: '上移第 1 个接入地址' })).toHaveProperty('disabled', true)
    await press('保存')
    await isClosed()
    expect(api.last('router/endpoints')?.input).toEqual({
      router_name: 'NL-1',
      endpoints: [{ host: 'vpn.example.com' }, { host: '198.51.100.7' }],
      revision: 3,
    })
  })

  it('are at most four, and the last may be removed', async () => {
    const { api, dialog, press } = await openEndpoints(['a.cn', 'b.cn', 'c.cn', 'd.cn'])
    expect(dialog.getByRole('button', { name: '添加地址' })).toHaveProperty('disabled', true)
    for (const n of [4, 3, 2, 1]) await press(`删除第 ${n} 个接入地址`)
    expect(dialog.queryByText('未设置地址')).not.toBeNull()
    await press('保存')
    await isClosed()
    expect(api.last('router/endpoints')?.input).toMatchObject({ endpoints: [] })
  })

  it('say what is wrong with one, also in the words of the server', async () => {
    const reply = { code: 422, msg: '地址不可用', data: { field: 'endpoints.0.host' } }
    const { dialog, press, type } = await openEndpoints([], reply)
    await press('添加地址')
    await type('198.51.100.7:1194')
    await press('保存')
    await dialog.findByText('请输入正确的IP地址或域名，不含端口')
    await type('198.51.100.7')
    await press('保存')
    await dialog.findByText('地址不可用')
  })

  it('stand on the page with their source, and which one probes reach', async () => {
    await open(
      info({
        endpoint_list: [
          { host: 'vpn.example.com', source: 'chosen', reached: 0 },
          { host: '198.51.100.8', source: 'flag', reached: 0 },
          { host: '2400:3200::1', source: 'reported', reached: 1 },
          { host: '203.0.113.5', source: 'seen', reached: 0 },
        ],
      }),
    )
    const list = within(await screen.findByRole('list', { name: '接入地址' }))
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'vpn.example.com设置',
      '198.51.100.8设备设置',
      '2400:3200::1上报 · 探测可达',
      '203.0.113.5观测',
    ])
  })
})

describe('静态路由', () => {
  async function openRoutes(over: Parameters<typeof info>[0] = {}, handlers = {}) {
    const page = await open({ ...info({ static_routes_revision: 3, ...over }), ...handlers })
    await chooseAction(header(), '静态路由')
    const dialog = await dialogNamed(/^静态路由 · /)
    const fill = async (name: string, text: string) => {
      const box = dialog.getAllByLabelText(new RegExp(`^${name}`), { selector: 'input' }).at(-1)!
      await page.user.clear(box)
      await page.user.type(box, text)
    }
    return { ...page, dialog, fill, save: () => page.user.click(dialog.getByRole('button', { name: '保存' })) }
  }

  it('adds a row, says what saving corrects, and sends all rows with their revision', async () => {
    const reply = { data: [{ row: 1, old: '10.9.1.0/16', new: '10.9.0.0/16' }], msg: '设置成功' }
    const { api, user, dialog, fill, save } = await openRoutes(
      { static_routes: [ROUTE] },
      { 'router/static_routes': reply },
    )
    expect(dialog.queryByText(/192\.168\.10\.1\/24/)).not.toBeNull()
    await user.click(dialog.getByRole('button', { name: '添加静态路由' }))
    await fill('网段', '10.9.1.0')
    await fill('掩码', '16')
    await fill('下一跳', '192.168.10.253')
    await dialog.findByText('保存时将更正网段：10.9.1.0/16 → 10.9.0.0/16')
    await save()
    await isClosed()
    await screen.findByText('已更正 10.9.1.0/16 → 10.9.0.0/16')
    expect(api.last('router/static_routes')?.input).toEqual({
      router_name: 'NL-1',
      routes: [ROUTE, { prefix: '10.9.1.0', mask: 16, via: '192.168.10.253' }],
      revision: 3,
    })
  })

  it('removes the last one, and says that there is none', async () => {
    const { api, user, dialog, save } = await openRoutes(
      { static_routes: [ROUTE] },
      { 'router/static_routes': { data: [], msg: '设置成功' } },
    )
    await user.click(dialog.getByRole('button', { name: '删除第 1 条静态路由' }))
    expect(dialog.queryByText('暂无静态路由')).not.toBeNull()
    await save()
    await isClosed()
    expect(api.last('router/static_routes')?.input).toMatchObject({ routes: [] })
  })

  it('marks a field that is wrong, and the row that the server refuses', async () => {
    const msg = '下一跳10.3.0.254不可用'
    const { user, dialog, fill, save } = await openRoutes(
      {},
      { 'router/static_routes': { code: 422, msg, data: { field: 'routes.0.via' } } },
    )
    await user.click(dialog.getByRole('button', { name: '添加静态路由' }))
    await fill('网段', '10.9.0.0')
    await fill('掩码', '7')
    await fill('下一跳', '10.3.0.254')
    await save()
    await dialog.findByText('掩码取值范围在8~32')
    await fill('掩码', '24')
    await save()
    await dialog.findByText(msg)
  })

  it('says that a device which reported no LAN has none yet', async () => {
    const { dialog } = await openRoutes({ interfaces: [createInterface('eth0', { role: 'wan' })] })
    expect(dialog.queryByText(/设备尚未上报LAN网段/)).not.toBeNull()
  })
})

describe('更换设备', () => {
  async function openReplace(handlers = {}) {
    const page = await open({ ...info({ note: '工厂' }), ...handlers })
    await chooseAction(header(), '更换设备')
    const dialog = await dialogNamed('更换设备 · 工厂')
    await page.user.type(dialog.getByLabelText(/^新设备序列号/, { selector: 'input' }), 'NL-2')
    await page.user.type(dialog.getByLabelText(/^新设备激活码/, { selector: 'input' }), 'aaaabbbbcccc')
    return { ...page, dialog, send: () => page.user.click(dialog.getByRole('button', { name: '更换' })) }
  }

  it('says what is taken over, and opens the page of the new device', async () => {
    const { api, address, dialog, send } = await openReplace({
      'router/replace': { data: { router_name: 'NL-2' }, msg: '更换成功' },
    })
    expect(dialog.queryByText(/1 个组网中的\s*地址与配置/)).not.toBeNull()
    api.set('router/info', { data: createRouter('NL-2') })
    await send()
    await waitFor(() => expect(address()).toBe('/router/detail?router_name=NL-2'))
    await screen.findByText('更换成功')
    expect(api.last('router/replace')?.input).toEqual({
      router_name: 'NL-1',
      username: 'NL-2',
      code: 'AAAA-BBBB-CCCC',
    })
  })

  it('stays open with the reason where the device is claimed', async () => {
    const { msg, field, code } = ERRORS.DEVICE_CLAIMED
    const { address, dialog, send } = await openReplace({ 'router/replace': { code, msg, data: { field } } })
    await send()
    await dialog.findByText(msg)
    expect(address()).toContain('NL-1')
  })
})

const openMenu = async (flags: readonly Permission[]) => {
  const { user } = await open(info(), { ram: 1, flags: [...flags] })
  await user.click(header().getByRole('button', { name: /的更多操作$/ }))
  const items = await screen.findAllByRole('menuitem')
  return { user, labels: items.map((item) => item.textContent) }
}

it('a role that may not edit members is offered neither', async () => {
  expect((await openMenu(['network:edit'])).labels).toEqual(['提交工单'])
})

it('one that may edit but claim no device sets static routes and replaces nothing', async () => {
  const { labels } = await openMenu(['router:edit'])
  expect(labels).toEqual(['静态路由', '接入地址', '刷新状态', '重新下发', '停用', '提交工单'])
})
