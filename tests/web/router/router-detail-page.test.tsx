import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createInterface, createLink, createNetwork, createRouter, states } from './fixtures.ts'
import { setLiveState, missFrames, emitFrame } from '../lib/fake-live.ts'
import { chooseAction, findAction } from '../lib/row-menu.ts'
import { ADDRESS, chart, header, info, open, rates } from './open-detail.tsx'
import { openPage } from './open-page.tsx'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
vi.mock('#ui/chart/chart-canvas.tsx', () => import('../lib/fake-chart.tsx'))

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

it.each([
  ['nothing is named', '/router/detail', {}],
  ['the server answers 204', ADDRESS, { 'router/info': { code: 204, msg: ERRORS.ROUTER_NOT_FOUND.msg } }],
])('goes to the member list when %s', async (_, address, handlers) => {
  const page = openPage(address, handlers)
  await screen.findByRole('heading', { level: 1, name: '成员列表' })
  expect(page.address()).toBe('/router/lists')
})

it('a software member redirects to the list, searched for it', async () => {
  const page = openPage('/router/detail?router_name=a@qiming', { 'router/info': { data: createRouter('a@qiming') } })
  await waitFor(() => expect(page.address()).toBe('/router/lists?type=2&search=a%40qiming'))
})

it('a read that fails can be tried again', async () => {
  const user = userEvent.setup()
  const { api } = openPage(ADDRESS, { 'router/info': { code: 500, msg: '系统异常' } })
  await screen.findByText('加载失败')
  api.set('router/info', { data: createRouter('NL-1') })
  await user.click(screen.getByRole('button', { name: '重试' }))
  await screen.findByText('XR-200')
  expect(screen.queryByText('加载失败')).toBeNull()
})

const settings = () =>
  screen.getAllByRole('group', { name: /接口设置$/ }).map((group) => ({
    of: group.getAttribute('aria-label'),
    terms: [...group.querySelectorAll('div > dt')].map((term) => [term.textContent, term.nextSibling?.textContent]),
  }))

it('shows the device and the settings of its interfaces, WAN first, each beside its chart', async () => {
  await open()
  const shared = [
    ['IP 地址', '192.168.10.1/24'],
    ['MTU', '1500'],
    ['MAC 地址', '52:54:00:aa:10:02'],
  ]
  const expected = (name: string, protocol: string) => ({
    of: `${name} 接口设置`,
    terms: [['状态', '连通'], ['协议', protocol], ...shared],
  })
  expect(settings()).toEqual([expected('eth0', 'DHCP'), expected('br-lan', '静态 IP')])
  expect(within(chart('eth0（WAN）')).queryByRole('group', { name: 'eth0 接口设置' })).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'eth0 的接口标识' }))
  await within(await screen.findByRole('dialog', { name: 'eth0 的接口标识' })).findByText('eth0')
  expect(screen.queryByText('XR-200')).not.toBeNull()
  expect(screen.getByRole('link', { name: '组网列表' }).getAttribute('href')).toBe('/network/lists')
  expect(screen.getByRole('link', { name: '华东生产网' }).getAttribute('href')).toBe(
    '/network/detail?network_number=N1',
  )
})

it('leaves out what an interface does not report, and shows an IPv6 address with its prefix', async () => {
  const bare = { mask: 64, ip: 'fd00::1', ipv4_subnet_mask: '', mtu: 0, mac: '', interface_uuid: '', up: false }
  await open(info({ interfaces: [createInterface('tun0', { ...bare, role: 'tunnel' })] }))
  expect(settings()[0]?.terms).toEqual([
    ['状态', '断开'],
    ['协议', '静态 IP'],
    ['IP 地址', 'fd00::1/64'],
  ])
})

it.each([
  ['beside its interface', {}, false],
  ['with the device, where no interface has it', { interfaces: [] }, true],
])('WAN IP and MAC stand in one place: %s', async (_, over, isShown) => {
  await open(info({ router_ipv4: '192.168.10.1', router_mac: '52:54:00:aa:10:02', ...over }))
  const device = within(screen.getByRole('region', { name: '设备' }))
  expect([device.queryByText('WAN IP') !== null, device.queryByText('MAC') !== null]).toEqual([isShown, isShown])
  expect(screen.queryAllByText('52:54:00:aa:10:02').length).toBeGreaterThan(0)
  expect(device.queryByText('公网 IP')).not.toBeNull()
})

it('a device that never reported has no interfaces', async () => {
  await open(info({ interfaces: [] }))
  expect(within(screen.getByRole('region', { name: '接口设置与流量' })).queryByText('暂无接口')).not.toBeNull()
})

it('is greyed while the channel is down', async () => {
  await open()
  await setLiveState('router', 'down')
  expect(header().getByText('在线').closest('.nl-status')?.className).toContain('nl-tone-idle')
  expect(screen.queryByText(/实时通道已断开，状态每 10 秒刷新一次/)).not.toBeNull()
  expect(await within(chart('eth0（WAN）')).findByText('实时通道已断开')).not.toBeNull()
})

it('offers 重试 while the channel is down and reads fail as well', async () => {
  const { api, user } = await open()
  api.set('router/info', { code: 503, msg: ERRORS.DATABASE_AWAY.msg })
  await setLiveState('router', 'down')
  const notice = within((await screen.findByText(/以下为最后已知状态，正在重连/)).closest('div')!)
  api.set('router/info', { data: createRouter('NL-1') })
  await user.click(notice.getByRole('button', { name: '重试' }))
  await screen.findByText(/状态每 10 秒刷新一次/)
})

it('says that links and interfaces are old when a read failed, while the header stays live', async () => {
  const { api, user } = await open(info({ link: [createLink('NL-C')] }))
  await setLiveState('router', 'live')
  api.set('router/info', { code: 500, msg: '系统异常' })
  await missFrames('router')
  await screen.findByText('链路与接口为最近一次读取的状态')
  const links = within(screen.getByRole('table', { name: '链路' }))
  expect(links.getByText('连通').closest('.nl-status')?.className).toContain('nl-tone-idle')
  expect(header().getByText('在线').closest('.nl-status')?.className).not.toContain('nl-tone-idle')
  api.set('router/info', { data: createRouter('NL-1') })
  await user.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByText('链路与接口为最近一次读取的状态')).toBeNull())
})

it('polled states replace the last live states while the channel is down', async () => {
  const { api } = await open()
  await setLiveState('router', 'live')
  await emitFrame('router', { type: 'router', data: states({ state: 'flapping' }) })
  expect(header().queryByText('抖动')).not.toBeNull()
  api.set('router/info', { data: createRouter('NL-1', states({ state: 'offline' })) })
  await setLiveState('router', 'down')
  await header().findByText('离线')
})

it('deleted by another user: shows a message and navigates to the list', async () => {
  const { api, address } = await open()
  api.set('router/info', { code: 204, msg: ERRORS.ROUTER_NOT_FOUND.msg })
  await setLiveState('router', 'down')
  await screen.findByText(ERRORS.ROUTER_NOT_FOUND.msg)
  expect(address()).toBe('/router/lists')
})

it('reads the device again when frames were missed, and when an interface turns up', async () => {
  const { api } = await open()
  const reads = () => api.paths().filter((path) => path === 'router/info').length
  const before = reads()
  await setLiveState('router', 'live')
  await missFrames('router')
  await waitFor(() => expect(reads()).toBe(before + 1))
  api.set('router/info', { data: createRouter('NL-1', { interfaces: [createInterface('tun0', { role: 'tunnel' })] }) })
  await emitFrame('router', { type: 'interface', data: { tun0: rates(1_000).eth0 } })
  await screen.findByText('tun0（隧道）')
})

it('requests a report, reads the result, and shows when the device is offline', async () => {
  const { pass } = holdLongTimers(1_000)
  const { api } = await open({ ...info(), 'router/update_status': { msg: '发送成功' } })
  const reads = () => api.paths().filter((path) => path === 'router/info').length
  const before = reads()
  await chooseAction(header(), '刷新状态')
  await screen.findByText('已请求设备重新上报')
  await pass(1_999)
  expect(reads()).toBe(before)
  await pass(1)
  expect(reads()).toBe(before + 1)

  api.set('router/update_status', { code: 423, msg: ERRORS.ROUTER_OFFLINE.msg })
  await chooseAction(header(), '刷新状态')
  await screen.findByText(ERRORS.ROUTER_OFFLINE.msg)
})

it('says when a device that was enabled comes back', async () => {
  await open({ ...info({ status: 0, ...states({ state: 'disabled' }) }), 'router/update_status': { msg: '已启用' } })
  await chooseAction(header(), '启用')
  await screen.findByText('已启用成员“NL-1”，开机联网的设备会在30秒内重新连接')
})

it('an offline device cannot be asked; without a network there is nothing to send', async () => {
  await open(info({ ...states({ state: 'offline' }), network: [] }))
  expect((await findAction(header(), '刷新状态')).textContent).toBe(`刷新状态${ERRORS.ROUTER_OFFLINE.msg}`)
  const resend = screen.getByRole('menuitem', { name: /^重新下发/ })
  expect([resend.textContent, resend.getAttribute('aria-disabled')]).toEqual([
    '重新下发该成员未加入任何组网，没有可下发的配置',
    'true',
  ])
})

it('sends the configuration again', async () => {
  const { api } = await open({ ...info(), 'router/resend': { msg: '已重新下发' } })
  await chooseAction(header(), '重新下发')
  await screen.findByText('已重新下发')
  expect(api.last('router/resend')?.input).toEqual({ router_name: 'NL-1' })
})

it('names the networks a deleted device leaves, and returns to the list', async () => {
  const two = [createNetwork('N1', '华东生产网'), createNetwork('N2', '研发')]
  const { address, user, api } = await open({ ...info({ network: two }), 'router/delete': { msg: '删除成功' } })
  await chooseAction(header(), '删除')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['华东生产网', '研发'])
  await user.type(dialog.getByRole('textbox'), 'NL-1')
  await user.click(dialog.getByRole('button', { name: '删除成员' }))
  await waitFor(() => expect(address()).toBe('/router/lists'))
  expect(api.last('router/delete')?.input).toEqual({ router_name: 'NL-1' })
})

it('changes the note', async () => {
  const { api, user } = await open({ ...info(), 'router/note': { msg: '修改成功' } })
  await user.click(screen.getByRole('button', { name: '备注' }))
  await user.type(await screen.findByRole('textbox', { name: '备注' }), '机房')
  api.set('router/info', { data: createRouter('NL-1', { note: '机房' }) })
  await user.click(screen.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('机房'))
})

it('a role without permissions may only look', async () => {
  await open(info(), { ram: 1, flags: [] })
  expect(
    header()
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent),
  ).toEqual(['复制序列号 NL-1', 'NL-1 的更多操作'])
})

it('another router starts without data of the first', async () => {
  const { go } = await open({ 'router/info': ({ input }) => ({ data: createRouter(String(input['router_name'])) }) })
  await setLiveState('router', 'live')
  await emitFrame('router', { type: 'history', data: { eth0: [rates(1_000).eth0] } })
  await emitFrame('router', { type: 'router', data: states({ state: 'flapping' }) })
  expect(header().queryByText('抖动')).not.toBeNull()
  await go('/router/detail?router_name=NL-2')
  await screen.findByRole('heading', { level: 1, name: 'NL-2' })
  expect(header().queryByText('在线')).not.toBeNull()
  expect(screen.queryByLabelText('曲线')).toBeNull()
})
