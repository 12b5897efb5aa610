import type { Page } from 'playwright-core'
import { type DemoNetwork, HEADQUARTERS, RESEARCH, STORES } from '#infra/demo/networks.ts'

/* Screenshots of the handbook: for each its file, the steps to its page, and the part of the window. */

/** Selector of an element, shown with a margin, or a part of the window. */
export type Area = string | { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export interface Shot {
  /** File in infra/docs/handbook/images, in the folder of its chapter. */
  readonly name: string
  /** Steps to the page; resolves when it is there. */
  readonly open: (page: Page) => Promise<unknown>
  /** Part of the window; absent: the whole window. */
  readonly area?: Area
  /** Height of the window, if not 900. */
  readonly height?: number
  readonly isAnonymous?: true
}

/** The page without header and menu. */
export const MAIN = 'main'
const DIALOG = '[role="dialog"]'
const CENTER = 'NL80C001'
const BRANCH = '北京分公司'
const POINT = 'NL22P002'
const TICKET = '北京分公司访问总部时断时续'
/** Time for a curve of some seconds, at a point a second. */
const CURVE_MS = 25_000

const seen = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()
/** Bottom of the header, which stays in place. */
const TOP_PX = 72
const pauseForDrawing = (page: Page) => page.waitForTimeout(2_500)

async function visit(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await seen(page, text)
  await pauseForDrawing(page)
}

async function openNetwork(page: Page, { name }: DemoNetwork): Promise<string> {
  await page.goto('/network/lists')
  const link = page.getByRole('link', { name, exact: true })
  const address = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.waitForURL('**/network/detail?*')
  await seen(page, '添加成员').catch(() => null)
  await pauseForDrawing(page)
  return new URLSearchParams(address.split('?')[1]).get('network_number') ?? ''
}

/** Visits a page of the POP access of a network. */
async function visitPop(page: Page, network: DemoNetwork, path: string, text: string): Promise<void> {
  await visit(page, `/network/${path}?network_number=${await openNetwork(page, network)}`, text)
}

async function openSettings(page: Page): Promise<void> {
  await openNetwork(page, HEADQUARTERS)
  await button(page, '配置').click()
  await page.getByRole('dialog', { name: '组网配置' }).waitFor()
  await pauseForDrawing(page)
}

async function openSetting(page: Page, title: string): Promise<void> {
  await openSettings(page)
  await button(page, `修改 ${title}`).click()
  await page.locator(DIALOG).nth(1).waitFor()
  await pauseForDrawing(page)
}

async function openMember(page: Page): Promise<void> {
  await openNetwork(page, HEADQUARTERS)
  await page.getByRole('group', { name: '展示方式' }).getByRole('button', { name: '成员' }).click()
  await page.getByRole('row').filter({ hasText: BRANCH }).getByText('查看', { exact: true }).click()
  await page.getByRole('complementary').getByText('最近状态变化').waitFor()
}

async function chooseMember(page: Page, note: string): Promise<void> {
  const search = page.getByLabel('搜索备注、序列号、账号或网段')
  await search.fill(note)
  await page.getByRole('checkbox', { name: `选择 ${note}`, exact: true }).check()
  await search.fill('')
}

async function chooseFromMenu(page: Page, subject: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `${subject} 的更多操作` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Turns monitoring on for the time of the screenshot; it is off in the demo. */
async function openMonitor(page: Page): Promise<void> {
  await page.goto('/monitor/setting')
  await page.getByRole('button', { name: /^(启动|关闭)监控$/ }).waitFor()
  if (await button(page, '启动监控').isVisible()) {
    await button(page, '启动监控').click()
    await page.getByRole('alertdialog').getByRole('button', { name: '启动', exact: true }).click()
  }
  await seen(page, '告警事件')
  await pauseForDrawing(page)
}

/** Every screenshot of the handbook, in the order of its articles. */
export const SHOTS: readonly Shot[] = [
  { name: 'start/overview', open: (page) => visit(page, '/dashboard', '组网健康') },
  {
    name: 'start/login',
    isAnonymous: true,
    async open(page) {
      await visit(page, '/login', '账号登录')
      await page.getByLabel('用户名', { exact: true }).fill('demo01')
    },
  },
  {
    name: 'members/claim-router',
    area: DIALOG,
    async open(page) {
      await page.goto('/router/lists')
      await button(page, '添加硬件成员').click()
      await page.locator(DIALOG).getByLabel('序列号').fill('NL22S033')
      await page.locator(DIALOG).getByLabel('备注').fill('杭州分公司')
    },
  },
  {
    name: 'members/software-member',
    area: DIALOG,
    async open(page) {
      await page.goto('/router/lists?type=2')
      await seen(page, '李娜 财务')
      await button(page, '添加软件成员').click()
      await page.locator(DIALOG).getByLabel(/^账号/).fill('zhang.wei')
      await pauseForDrawing(page)
    },
  },
  {
    name: 'members/batch-add',
    area: DIALOG,
    async open(page) {
      await page.goto('/router/lists?type=2')
      await seen(page, '李娜 财务')
      await button(page, '批量添加').click()
      await page.locator(DIALOG).waitFor()
    },
  },
  {
    name: 'members/router-page',
    open: (page) => visit(page, `/router/detail?router_name=${CENTER}`, '链路'),
    area: MAIN,
  },
  {
    name: 'network/create-network',
    area: MAIN,
    async open(page) {
      await page.goto('/network/create')
      await page.getByLabel(/^组网名称/).fill('华东分支互联')
      for (const note of ['上海总部机房', BRANCH, '广州分公司', '成都分公司']) await chooseMember(page, note)
      await page.getByRole('group', { name: '上海总部机房的角色' }).getByRole('button', { name: '中心点' }).click()
      await pauseForDrawing(page)
    },
  },
  { name: 'network/settings', open: openSettings, area: DIALOG },
  { name: 'network/ip-pool', open: (page) => openSetting(page, 'IP地址池'), area: DIALOG },
  { name: 'network/prefixes', open: (page) => openSetting(page, '网络号'), area: DIALOG },
  { name: 'network/dns', open: (page) => openSetting(page, 'DNS'), area: DIALOG },
  { name: 'network/ciphers', open: (page) => openSetting(page, '加密算法'), area: DIALOG },
  {
    name: 'network/default-route',
    area: DIALOG,
    async open(page) {
      await openMember(page)
      await page.getByRole('tab', { name: '配置' }).click()
      await button(page, '修改 默认路由').click()
      await page.locator(DIALOG).waitFor()
      await pauseForDrawing(page)
    },
  },
  {
    name: 'network/history',
    area: DIALOG,
    async open(page) {
      await openNetwork(page, HEADQUARTERS)
      await chooseFromMenu(page, HEADQUARTERS.name, '历史')
      await page.getByRole('list', { name: '历史版本' }).waitFor()
      await pauseForDrawing(page)
    },
  },
  { name: 'pop/order-pop', open: (page) => visitPop(page, HEADQUARTERS, 'ticket_create', '区域与规格'), area: MAIN },
  { name: 'pop/pop-areas', open: (page) => visitPop(page, RESEARCH, 'pop_edit', '主区域'), area: MAIN },
  { name: 'watch/topology', open: (page) => openNetwork(page, STORES), area: MAIN },
  {
    name: 'watch/links',
    area: MAIN,
    async open(page) {
      await openNetwork(page, HEADQUARTERS)
      await page.getByRole('group', { name: '展示方式' }).getByRole('button', { name: '隧道' }).click()
      await pauseForDrawing(page)
    },
  },
  {
    name: 'watch/traffic',
    area: { x: 224, y: 60, width: 828, height: 640 },
    async open(page) {
      await visit(page, `/router/detail?router_name=${POINT}`, '链路')
      const box = await page.getByText('接口设置与流量').boundingBox()
      await page.mouse.move(720, 450)
      await page.mouse.wheel(0, (box?.y ?? 0) - TOP_PX)
      await page.waitForTimeout(CURVE_MS)
    },
  },
  { name: 'alerts/alert-settings', open: openMonitor, area: MAIN },
  {
    name: 'alerts/webhook',
    area: DIALOG,
    async open(page) {
      await openMonitor(page)
      await button(page, '配置Webhook').click()
      await page.locator(DIALOG).waitFor()
      await pauseForDrawing(page)
    },
  },
  { name: 'alerts/contacts', open: (page) => visit(page, '/account/contacts', '网络值班'), area: MAIN },
  { name: 'account/account', open: (page) => visit(page, '/account', '登录密码'), area: MAIN },
  { name: 'account/messages', open: (page) => visit(page, '/account/message', '全部已读'), area: MAIN },
  { name: 'account/services', open: (page) => visit(page, '/account/service', '智能组网标准版'), area: MAIN },
  {
    name: 'account/security',
    open: (page) => visit(page, '/account/security', '退出其他设备'),
    area: MAIN,
    height: 800,
  },
  {
    name: 'support/ticket',
    area: MAIN,
    async open(page) {
      await page.goto('/ticket/lists')
      await page.getByRole('link', { name: TICKET }).click()
      await page.getByRole('log', { name: '沟通记录' }).waitFor()
      await pauseForDrawing(page)
    },
  },
  {
    name: 'support/create-ticket',
    area: MAIN,
    open: (page) => visit(page, `/ticket/create?router_name=${POINT}`, '诊断快照'),
  },
  {
    name: 'support/download',
    isAnonymous: true,
    open: (page) => visit(page, '/download', '命令行或图形面板，按应用平台选择安装包'),
    area: MAIN,
  },
]
