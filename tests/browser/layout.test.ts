import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { LicenseEntry } from '#infra/local/licenses.ts'
import {
  chooseFromMenu,
  chooseTheme,
  findNetworkPath,
  goWithin,
  startSession,
  THEMES,
  useBrowserHarness,
  WIDTHS,
} from './browser-harness.ts'
import { type Inspect, PAGE_WIDTHS, PANEL_WIDTHS, createInspector, findFaults } from './inspector.ts'

const { origin, visitor } = useBrowserHarness()
const load = async (page: Page, path: string): Promise<void> => void (await page.goto(path))

it('the built console names the licences of what it really bundles, packages behind packages among them', async () => {
  const entries = (await (await fetch(`${origin}/licenses.json`)).json()) as LicenseEntry[]
  expect(entries.length).toBeGreaterThanOrEqual(30)
  expect(entries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mousetrap', 'fancy-canvas', 'date-fns', 'react-window']),
  )
  expect(entries.filter(({ license }) => license === '')).toEqual([])
})

it('keeps every page inside its window, and axe finds nothing moderate or worse there, in light and dark', async () => {
  const page = await visitor()
  const { faults, inspect } = createInspector(page)
  const capture = async (name: string, path: string, text: string, open = goWithin) => {
    await open(page, path)
    await page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' })
    await inspect(name)
  }
  await capture('login', '/login', '账号登录', load)
  await capture('register', '/register', '手机号注册')
  await capture('reset', '/reset', '找回密码')
  await capture('download', '/download', '选择版本')
  await capture('licenses', '/licenses', 'TradingView Lightweight Charts™')
  await capture('handbook', '/handbook?id=states', '成员状态')
  const token = await startSession(page, origin, 'demo01')
  const network = await findNetworkPath(origin, token, '总部与分支互联')
  await capture('dashboard', '/dashboard', '24 小时在线情况', load) // as who is signed in now
  await capture('networks', '/network/lists', '总部与分支互联')
  await capture('graph', `${network}&view=graph`, '北京分公司')
  await capture('table', `${network}&view=table`, '北京分公司')
  await page.goto(`${network}&view=graph&member=NL22P001`)
  await page.getByRole('complementary', { name: '北京分公司' }).waitFor()
  await inspect('member-panel', PANEL_WIDTHS)
  await capture('links', `${network}&view=links`, '北京分公司')
  await page.getByRole('button', { name: '北京分公司', exact: true }).first().click()
  await page.getByRole('complementary', { name: '北京分公司 ↔' }).waitFor()
  await inspect('link-panel', PANEL_WIDTHS)
  await page.goto(network)
  await page.getByRole('button', { name: '添加成员' }).click()
  await page.getByRole('dialog', { name: '添加成员' }).getByRole('checkbox').nth(1).waitFor()
  await inspect('add-members', PANEL_WIDTHS)
  await capture('create', '/network/create', '北京分公司')
  await capture('manage', network.replace('/detail', '/edit'), '北京分公司')
  await capture('routers', '/router/lists?sort=created&order=desc', 'NL22S033')
  await page.getByRole('button', { name: '重庆解放碑店 的更多操作' }).click()
  await page.getByRole('menuitem', { name: '备注' }).waitFor()
  await inspect('menu', [WIDTHS.wide])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索页面、组网、成员' }).fill('上海')
  await page.getByRole('option', { name: /上海总部机房/ }).waitFor()
  await inspect('palette', [WIDTHS.wide])
  await capture('software', '/router/lists?type=2', 'li.na@qiming')
  await capture('router', '/router/detail?router_name=NL80C001', '上海总部机房')
  await capture('missing', '/nowhere', '404 Page Not Found')
  expect(faults).toEqual([])
})

it('the same holds for settings and for POP access', async () => {
  const page = await visitor()
  const { faults, inspect } = createInspector(page)
  const token = await startSession(page, origin, 'demo01')
  const network = await findNetworkPath(origin, token, '总部与分支互联')
  await inspectSettings(page, network, inspect)
  await inspectPop(page, network, await findNetworkPath(origin, token, '研发专网'), inspect)
  expect(faults).toEqual([])
})

/** Drawers and the widest dialogs of a network's settings. */
async function inspectSettings(page: Page, network: string, inspect: Inspect): Promise<void> {
  await page.goto(`${network}&view=table&member=NL80C001&panel=settings`)
  const edit = (title: string) => page.getByRole('button', { name: `修改 ${title}`, exact: true })
  const inspectDialog = async (name: string, title: string) => {
    await edit(title).click()
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).waitFor()
    await inspect(name, PANEL_WIDTHS)
    await page.keyboard.press('Escape')
  }
  await inspectDialog('fixed-port', '固定端口')
  await inspectDialog('gateway', '网段')
  await inspectDialog('default-route', '默认路由')
  await page.getByRole('button', { name: '配置', exact: true }).click()
  await edit('网络号').waitFor()
  await inspect('settings', PANEL_WIDTHS)
  await inspectDialog('prefix', '网络号') // the drawer stays behind the dialog
  await inspectDialog('ip-pool', 'IP地址池')
  await inspectDialog('routing', '路由方式')
  await inspectDialog('ciphers', '加密算法')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await chooseFromMenu(page, '总部与分支互联', '有效路由')
  await page.getByRole('dialog', { name: '有效路由' }).getByRole('table').waitFor()
  await inspect('routes', PANEL_WIDTHS)
}

/** POP access: orders, the wizard, resources and areas. */
async function inspectPop(page: Page, network: string, reached: string, inspect: Inspect): Promise<void> {
  await page.goto('/network/ticket_lists')
  await page.getByRole('row').filter({ hasText: '已完成' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: '工单属性' }).waitFor()
  await inspect('ticket', PAGE_WIDTHS)
  await page.goBack()
  await page.getByText('已取消', { exact: true }).last().waitFor()
  await inspect('tickets', PAGE_WIDTHS)
  await page.goto(network.replace('/detail', '/ticket_create'))
  await page.getByRole('slider').waitFor()
  await inspect('wizard', PAGE_WIDTHS)
  await page.getByRole('group', { name: 'POP区域' }).locator('.semi-checkbox').first().click()
  await page.getByRole('button', { name: '1 年', exact: true }).click()
  await page.getByRole('button', { name: '50 Mbps', exact: true }).click()
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('grid', { name: '可选成员' }).getByText('北京分公司').waitFor()
  await inspect('wizard-members', PAGE_WIDTHS)
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('button', { name: '提交' }).waitFor()
  await inspect('wizard-confirm', PAGE_WIDTHS)
  await page.goto('/network/fr_lists')
  await page.getByText('研发骨干接入', { exact: true }).waitFor()
  await inspect('resources', PAGE_WIDTHS)
  await page.goto(reached.replace('/detail', '/pop_edit'))
  await page.getByRole('combobox', { name: '成都分公司 的备区域' }).waitFor()
  await inspect('areas', PAGE_WIDTHS)
}

it('ten routers fit into 1,000 px of a phone', async () => {
  const page = await visitor({ width: WIDTHS.phone, hasTouch: true })
  await startSession(page, origin, 'demo01')
  await page.goto('/router/lists')
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.nth(9).waitFor()
  expect(await rows.count()).toBe(10)
  const last = await rows.last().boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(1_000)
})

it('shows the kit at every width, in light and dark', async () => {
  const page = await visitor()
  await page.goto('/__local/kit')
  await page.getByRole('heading').first().waitFor()
  for (const theme of THEMES) {
    await chooseTheme(page, theme)
    expect(await findFaults(page, `kit-${theme}`, PAGE_WIDTHS)).toEqual([])
  }
})
