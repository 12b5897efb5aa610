import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi, beforeEach } from 'vitest'
import { AuditLogPage } from '#pages/logs/audit-log-page.tsx'
import { ConnectLogPage } from '#pages/logs/connect-log-page.tsx'
import { LoginLogPage } from '#pages/logs/login-log-page.tsx'
import { OnlineLogPage } from '#pages/logs/online-log-page.tsx'
import { lastDays } from '#lib/format/format-time.ts'
import { chooseAction } from '../lib/row-menu.ts'
import { watchWaits } from '../lib/watch-waits.ts'
import { openPage } from '../network/open-page.tsx'

const AT = Date.parse('2026-11-20T02:00:00Z')
const pageOf = (rows: readonly object[], count = rows.length, capped = 0) => ({ data: rows, count, capped })
const NONE = pageOf([])
const exported = (data: string, file_name: string) => ({ msg: '导出成功', data, file_name })
const LOGIN = {
  log_id: 1,
  router_name: 'li.na@qiming',
  note: '财务李娜',
  present_name: 'li.na@qiming',
  router_type: 2,
  ip: '203.0.113.7',
  os: 'windows',
  version: '1.4.2',
  sys_brand: 'Lenovo',
  sys_model: 'X1',
  sys_version: '11',
  success: 0,
  reason: '密码错误',
  create_time: AT,
}
const DIAL = {
  log_id: 2,
  router_name: 'NL-R220-0002',
  note: '北京分公司',
  present_name: 'NL-R220-0002',
  router_type: 1,
  network_number: 'N20260001',
  network_name: '总部互联',
  link_router_name: 'NL-R220-0001',
  link_note: '上海总部',
  pop_name: '华东资源',
  area: '上海',
  orig: '203.0.113.9',
  vpn_ip: '100.64.0.2',
  start_time: AT,
  end_time: AT + 93_784_000,
  online_time: 93_784,
}
const AUDIT = {
  log_id: 3,
  actor_kind: 'ram',
  actor_name: 'ops@demo01',
  module: 'network',
  action: 'name',
  target: 'N20260001',
  message: '修改组网名称',
  before: { network_name: '华东' },
  after: { network_name: '<b>华东二</b>' },
  ip: '203.0.113.5',
  request_id: 'r-1',
  create_time: AT,
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // no day ends within a test
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Captures the saved file: its name and content. */
function catchDownload() {
  const saved: { name: string; blob: Blob | null } = { name: '', blob: null }
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => ((saved.blob = blob), 'blob:x'), revokeObjectURL: () => {} }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.name = this.download
  })
  return saved
}

describe('directory 2 · 登录记录', () => {
  it('opens with the last seven days, and shows why a try failed', async () => {
    const { api } = openPage(<LoginLogPage />, '/logs/software_login', {
      'logs/software_login': pageOf([LOGIN], 1, 0),
    })
    expect(await screen.findByText('失败：密码错误')).toBeTruthy()
    for (const text of ['财务李娜', '203.0.113.7', 'windows 1.4.2', 'Lenovo X1 11', '2026-11-20 10:00:00'])
      expect(screen.getByText(text)).toBeTruthy()
    const { from, to } = lastDays(7, Date.now())
    expect(api.last('logs/software_login')?.input).toMatchObject({ start_time: from, end_time: to })
  })

  it('reads range and search from the address; a range that is none is the last seven days', async () => {
    const query = '?range=2026-03-01~2026-03-10&search=li'
    const { api } = openPage(<LoginLogPage />, `/logs/software_login${query}`, { 'logs/software_login': NONE })
    expect(await screen.findByText('清除筛选')).toBeTruthy()
    expect(api.last('logs/software_login')?.input).toMatchObject({
      start_time: '2026-03-01',
      end_time: '2026-03-10',
      search: 'li',
    })
    const { from } = lastDays(7, Date.now())
    for (const range of ['2026-03-10~2026-03-01', '2026-02-30~2026-03-01', 'x', '2026-03-01']) {
      cleanup()
      const other = openPage(<LoginLogPage />, `/logs/software_login?range=${range}`, { 'logs/software_login': NONE })
      await waitFor(() => expect(other.api.last('logs/software_login')?.input).toMatchObject({ start_time: from }))
    }
  })

  it('a preset stands in the address, and turns back to the first page', async () => {
    const { router, api } = openPage(<LoginLogPage />, '/logs/software_login?page=3', {
      'logs/software_login': pageOf([LOGIN], 100, 0),
    })
    await userEvent.click(await screen.findByText('近30天'))
    const { from, to } = lastDays(30, Date.now())
    await waitFor(() => expect(api.last('logs/software_login')?.input).toMatchObject({ start_time: from, page: '1' }))
    expect(new URLSearchParams(router.state.location.search).get('range')).toBe(`${from}~${to}`)
    await userEvent.click(screen.getByText('近7天'))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it.each([
    [<LoginLogPage key="login" />, '/logs/software_login', 'logs/software_login', LOGIN, '财务李娜'],
    [<OnlineLogPage key="online" />, '/logs/online', 'logs/online', DIAL, '北京分公司'],
  ])(
    'a click on a row, or its verb, shows one member alone, in the export too: %#',
    async (page, address, call, row, name) => {
      const saved = catchDownload()
      const { api, router } = openPage(page, address, {
        [call]: pageOf([row, { ...row, log_id: 99, router_name: 'other', present_name: 'other', note: '另一个' }]),
        'logs/export': exported('UEs=', 'x.xlsx'),
      })
      const line = (await screen.findByRole('rowheader', { name: new RegExp(name) })).closest('tr')!
      await userEvent.click(within(line).getByRole('link', { name }))
      expect(router.state.location.search).not.toContain('member=')
      router.navigate(-1)
      await userEvent.click((await screen.findByRole('rowheader', { name: new RegExp(name) })).closest('tr')!)
      await waitFor(() => expect(api.last(call)?.input).toMatchObject({ router_name: row.router_name, page: '1' }))
      await userEvent.click(screen.getByRole('button', { name: /导出/ }))
      await waitFor(() => expect(saved.name).toBe('x.xlsx'))
      expect(api.last('logs/export')?.input).toMatchObject({ router_name: row.router_name })
      await userEvent.click(screen.getByRole('button', { name: `取消只看 ${name}` }))
      await waitFor(() => expect(api.last(call)?.input).toMatchObject({ router_name: '' }))
      await userEvent.click(screen.getByRole('button', { name: '只看此成员 other' }))
      await waitFor(() => expect(router.state.location.search).toContain('member=other'))
      expect(screen.queryByRole('button', { name: '取消只看 另一个' })).not.toBeNull()
      expect(screen.queryByRole('columnheader', { name: '操作' })).toBeNull()
    },
  )

  it('a count that stopped says so', async () => {
    openPage(<LoginLogPage />, '/logs/software_login', {
      'logs/software_login': pageOf([LOGIN], 10_000, 1),
    })
    expect(await screen.findByText(/共 10000\+ 条/)).toBeTruthy()
  })

  it('nothing yet, nothing found and no permission are three states', async () => {
    openPage(<LoginLogPage />, '/logs/software_login', { 'logs/software_login': NONE })
    expect(await screen.findByText(/软件成员在客户端登录后/)).toBeTruthy()
    cleanup()
    openPage(<LoginLogPage />, '/logs/software_login?search=x', { 'logs/software_login': NONE })
    expect(await screen.findByText('没有符合当前筛选条件的内容')).toBeTruthy()
    cleanup()
    openPage(<LoginLogPage />, '/logs/software_login', {
      'logs/software_login': { code: 403, msg: '没有操作权限，请联系主账号授权' },
    })
    expect(await screen.findByText(/没有操作权限|没有权限/)).toBeTruthy()
  })
})

/** A member that has been deleted, and a line without a later one. */
const GONE = { present_name: '', router_type: null, next_time: null }

describe('directory 2 · 连接记录', () => {
  it('shows no port where nobody knows it', async () => {
    const line = { ...GONE, router_name: 'NL1', note: '', remote_ip: '203.0.113.5', remote_port: null, version: '2.1' }
    openPage(<ConnectLogPage />, '/logs/connect', {
      'logs/connect': pageOf([{ ...line, log_id: 1, online: 1, reason: '首次', create_time: AT }]),
    })
    await screen.findByText('首次')
    const cells = screen.getAllByRole('cell').map((cell) => cell.textContent)
    expect([cells.includes('—'), cells.includes('0')]).toEqual([true, false])
  })

  it('says of each device when it went online and offline', async () => {
    const line = {
      router_name: 'NL1',
      note: '北京分公司',
      present_name: 'NL1',
      router_type: 1,
      next_time: null,
      remote_ip: '203.0.113.5',
      remote_port: 40_001,
      version: '2.1',
    }
    const online = { ...line, log_id: 1, online: 1, reason: '', create_time: AT }
    openPage(<ConnectLogPage />, '/logs/connect?search=NL1', {
      'logs/connect': pageOf([{ ...online, log_id: 2, online: 0, reason: '心跳超时' }, online]),
    })
    await screen.findByText('心跳超时')
    const [, offline, back] = screen.getAllByRole('row').map((row) => within(row))
    for (const text of ['北京分公司', '下线', '203.0.113.5', '40001', '2.1', '心跳超时', '2026-11-20 10:00:00'])
      expect(offline!.getByText(text)).toBeTruthy()
    expect(back!.getByText('上线')).toBeTruthy()
  })
})

describe('logs name things', () => {
  const line = {
    log_id: 1,
    router_name: 'NL0',
    note: '北京分公司',
    present_name: 'NL1',
    router_type: 1,
    remote_ip: '',
    remote_port: null,
    version: '',
    online: 0,
    reason: '',
    create_time: AT,
  }
  const cellsOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)

  it('a line says how long its state lasted, and while it lasts it counts; a deleted member has neither end nor link', async () => {
    vi.setSystemTime(AT + 90_000)
    openPage(<ConnectLogPage />, '/logs/connect', {
      'logs/connect': pageOf([
        { ...line, next_time: AT + 754_000 },
        { ...line, log_id: 2, router_name: 'NL1', next_time: null },
        { ...line, log_id: 4, next_time: null },
        { ...line, ...GONE, log_id: 3 },
      ]),
    })
    await screen.findAllByText('北京分公司')
    const [, ended, open, renamed, gone] = screen.getAllByRole('row')
    expect(cellsOf(ended!)).toContain('12 分 34 秒')
    expect(cellsOf(open!)).toContain('1 分 30 秒')
    expect(cellsOf(renamed!).join()).not.toContain('分')
    expect(within(ended!).getByRole('link', { name: '北京分公司' }).getAttribute('href')).toBe(
      '/router/detail?router_name=NL1',
    )
    expect(within(ended!).getByText('NL0')).toBeTruthy()
    expect(within(gone!).queryByRole('link')).toBeNull()
  })

  it('a dial leads to its member, names the other end and the network with a link, and a deleted network by its number', async () => {
    openPage(<OnlineLogPage />, '/logs/online', {
      'logs/online': pageOf([DIAL, { ...DIAL, log_id: 4, network_name: '' }]),
    })
    const network = await screen.findByRole('link', { name: '总部互联' })
    expect(network.getAttribute('href')).toBe('/network/detail?network_number=N20260001')
    expect(screen.getByText('N20260001')).toBeTruthy()
    expect(screen.getAllByText('上海总部')).toHaveLength(2)
    expect(screen.getAllByText('NL-R220-0001')).toHaveLength(2)
  })

  it('a sign-in leads to the list that finds the account', async () => {
    openPage(<LoginLogPage />, '/logs/software_login', { 'logs/software_login': pageOf([LOGIN]) })
    const member = await screen.findByRole('link', { name: '财务李娜' })
    expect(member.getAttribute('href')).toBe('/router/lists?type=2&search=li.na%40qiming')
  })
})

describe('directory 2 · a search that stopped before the whole range', () => {
  it.each([
    [
      Date.parse('2026-03-01T12:00:00+08:00'),
      ['记录较多，仅搜索了最近 50000 条（2026-03-01 12:00:00 之后），请缩小时间范围。'],
    ],
    [null, []],
  ])('searched_from %s: %s', async (searched_from, sentences) => {
    const reply = { ...NONE, searched_from }
    openPage(<ConnectLogPage />, '/logs/connect?search=NL', { 'logs/connect': reply })
    await screen.findByRole('button', { name: /导出/ })
    await waitFor(() => expect(screen.queryAllByText(/仅搜索了最近/).map((one) => one.textContent)).toEqual(sentences))
  })
})

describe('directory 5 · 导出', () => {
  it('asks with the filters of the list and saves the file under its name', async () => {
    const saved = catchDownload()
    const { api } = openPage(<ConnectLogPage />, '/logs/connect?range=2026-03-01~2026-03-10&search=NL', {
      'logs/connect': NONE,
      'logs/export': exported(btoa('PK'), '连接记录_20260310.xlsx'),
    })
    await userEvent.click(await screen.findByRole('button', { name: /导出/ }))
    await waitFor(() => expect(saved.name).toBe('连接记录_20260310.xlsx'))
    expect(saved.blob?.size).toBe(2)
    expect(api.last('logs/export')?.input).toMatchObject({
      type: 'connect',
      search: 'NL',
      start_time: '2026-03-01',
      end_time: '2026-03-10',
    })
    expect(await screen.findByText('导出成功')).toBeTruthy()
  })

  it('login records as such, under their name', async () => {
    const saved = catchDownload()
    const { api } = openPage(<LoginLogPage />, '/logs/software_login', {
      'logs/software_login': NONE,
      'logs/export': exported('', '登录记录_20260310.xlsx'),
    })
    await userEvent.click(await screen.findByRole('button', { name: /导出/ }))
    await waitFor(() => expect(saved.name).toBe('登录记录_20260310.xlsx'))
    expect(api.last('logs/export')?.input).toMatchObject({ type: 'software_login' })
  })

  it('waits a minute for the file, and the request time-out for the list', async () => {
    const saved = catchDownload()
    const waitsOf = watchWaits()
    const { api } = openPage(<ConnectLogPage />, '/logs/connect', {
      'logs/connect': NONE,
      'logs/export': exported('', 'a.xlsx'),
    })
    await userEvent.click(await screen.findByRole('button', { name: /导出/ }))
    await waitFor(() => expect(saved.name).toBe('a.xlsx'))
    expect(waitsOf(api)).toEqual({ 'logs/connect': 10_000, 'logs/export': 60_000 })
  })

  it('a refusal is shown and the list stays', async () => {
    const saved = catchDownload()
    const { router } = openPage(<ConnectLogPage />, '/logs/connect', {
      'logs/connect': NONE,
      'logs/export': { code: 422, msg: '数据为空，请重新筛选数据！', data: null },
    })
    const button = await screen.findByRole('button', { name: /导出/ })
    await userEvent.click(button)
    expect(await screen.findByText('数据为空，请重新筛选数据！')).toBeTruthy()
    expect([saved.name, router.state.location.pathname]).toEqual(['', '/logs/connect'])
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
  })
})

describe('directory 2 · 拨号记录', () => {
  it('p2p and pop have their own columns, search and export', async () => {
    const { api, router } = openPage(<OnlineLogPage />, '/logs/online?search=NL', {
      'logs/online': pageOf([DIAL, { ...DIAL, log_id: 4, end_time: null }], 2, 0),
      'logs/export': exported('', 'a.xlsx'),
    })
    expect(await screen.findByText('1 天 2 小时')).toBeTruthy()
    expect(screen.getByText('在线')).toBeTruthy()
    for (const text of ['NL-R220-0001', '总部互联', '203.0.113.9', '100.64.0.2', '2026-11-20 10:00:00'])
      expect(screen.getAllByText(text)).toHaveLength(2)
    await userEvent.click(screen.getByRole('tab', { name: 'POP' }))
    expect(await screen.findAllByText('华东资源')).toHaveLength(2)
    expect(screen.getAllByText('上海')).toHaveLength(2)
    expect(router.state.location.search).toBe('?mode=pop')
    expect(api.last('logs/online')?.input).toMatchObject({ mode: 'pop', search: '' })
    catchDownload()
    await userEvent.click(screen.getByRole('button', { name: /导出/ }))
    await waitFor(() => expect(api.last('logs/export')?.input).toMatchObject({ type: 'pop_online' }))
  })
})

describe('directory 6 · 操作审计', () => {
  const open = (query = '') =>
    openPage(<AuditLogPage />, `/logs/audit${query}`, {
      'logs/audit': pageOf([AUDIT], 1, 0),
      'logs/export': exported('', 'a.xlsx'),
    })

  it('filters stand in the address and go with the export', async () => {
    const { api, router } = open('?actor_kind=ram&module=network&actor=ops%40demo01')
    await screen.findByText('修改组网名称')
    const filter = { actor_kind: 'ram', module: 'network', actor: 'ops@demo01' }
    expect(api.last('logs/audit')?.input).toMatchObject(filter)
    catchDownload()
    await userEvent.click(screen.getByRole('button', { name: /导出/ }))
    await waitFor(() => expect(api.last('logs/export')?.input).toMatchObject({ type: 'audit', ...filter }))
    await userEvent.click(screen.getByRole('button', { name: '取消只看 ops@demo01' }))
    await userEvent.selectOptions(screen.getByLabelText('按模块筛选'), '成员')
    await waitFor(() => expect(router.state.location.search).toBe('?actor_kind=ram&module=router'))
  })

  it('an unknown kind of actor in the address is none', async () => {
    const { api } = open('?actor_kind=root')
    await screen.findByText('修改组网名称')
    expect(api.last('logs/audit')?.input).toMatchObject({ actor_kind: '' })
  })

  it('a row opens with both sides of its change, as text', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: '修改组网名称' }))
    const changes = within(await screen.findByRole('table', { name: '修改前后' }))
    expect(changes.getByText('网络名称').tagName).toBe('TH')
    expect(changes.getByText('华东').tagName).toBe('DEL')
    expect(changes.getByText('<b>华东二</b>').tagName).toBe('INS')
    expect(screen.getByText('ops@demo01（子账号）')).toBeTruthy()
  })

  it('the rows of one person', async () => {
    const { router } = open()
    const row = (await screen.findByText('修改组网名称')).closest('tr')!
    await chooseAction(within(row), '只看此人')
    await waitFor(() => expect(router.state.location.search).toBe('?actor=ops%40demo01'))
  })
})
