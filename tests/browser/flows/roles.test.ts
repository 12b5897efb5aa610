import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { findNetworkPath, openFromMenu, recordFrames, startSession, useBrowserHarness } from '../browser-harness.ts'
import { useDevices } from '../devices.ts'
import { FLOW_WIDTHS } from '../inspector.ts'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const HOME = '总部与分支互联'
const SHOPS = '全国门店收银网'
const { origin, visitor, tab } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

it('shows a limited sub-account its network only', async () => {
  const shops = await findNetworkPath(origin, await ops.signIn('demo01'), SHOPS)

  const page = await visitor()
  const frames = recordFrames(page)
  await startSession(page, origin, 'branch@demo01')
  await page.goto('/network/lists')
  const home = (await page.getByRole('link', { name: HOME, exact: true }).getAttribute('href')) ?? ''
  const rows = page.getByRole('table', { name: '组网' }).locator('tbody tr')
  await rows.getByRole('button', { name: /的更多操作$/ }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['接入POP', '重命名'])
  await page.keyboard.press('Escape')
  expect(await rows.count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: '创建组网' }).getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('搜索组网名称或编号').fill('门店')
  await page.getByText('暂无数据').or(page.getByText('没有')).first().waitFor()
  await page.goto(shops)
  await page.getByText('没有操作权限').or(page.getByText('组网不存在或已被删除')).first().waitFor()
  expect(await page.getByText('上海徐汇店').count()).toBe(0)
  await page.goto(home)
  await page.getByRole('button', { name: '管理成员' }).waitFor()
  await page.goto('/network/create')
  await page.getByText('没有权限').or(page.getByText('没有操作权限')).first().waitFor()
  await page.goto('/ram/index')
  await page.getByText('没有权限').or(page.getByText('没有操作权限')).first().waitFor()
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  expect(frames.filter((frame) => frame.includes('NL22S'))).toEqual([])
})

it('gives a sub-account with every flag what the main account has, but not its own pages', async () => {
  const page = await visitor()
  await startSession(page, origin, 'ops@demo01')
  await page.goto('/network/lists')
  const rows = page.getByRole('table', { name: '组网' }).locator('tbody tr')
  await expect.poll(() => rows.getByRole('button', { name: /的更多操作$/ }).count()).toBeGreaterThanOrEqual(2)
  await rows.getByRole('button', { name: '研发专网 的更多操作' }).click() // others may make networks meanwhile
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['POP配置', '重命名', '删除'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '创建组网' }).click()
  await page.getByRole('heading', { name: '创建组网' }).waitFor()
  const entries = await menuEntries(page)
  expect(entries).toContain('成员列表')
  for (const hidden of ['账号信息', 'LDAP接入', '登录记录', '子账号']) expect(entries).not.toContain(hidden)
})

it('isolates two tenants in pages, addresses and sockets', async () => {
  const theirs = await visitor()
  const frames = recordFrames(theirs)
  const token = await startSession(theirs, origin, 'demo02')
  const home = await findNetworkPath(origin, await ops.signIn('demo01'), HOME)
  await theirs.goto('/network/lists')
  await theirs.getByRole('link', { name: '港口仓储网', exact: true }).waitFor()
  expect(await theirs.getByText(HOME).count()).toBe(0)
  await theirs.goto('/router/lists')
  await theirs.getByText('NL22Y001').waitFor()
  expect(await theirs.getByText(/NL80C|NL22P|NL22S/).count()).toBe(0)

  await theirs.goto(home) // answers like a network that never was, and goes back
  await theirs.getByText('组网不存在或已被删除').first().waitFor()
  await theirs.goto('/router/detail?router_name=NL80C001')
  await theirs.getByText('成员不存在或已被删除').first().waitFor()
  await theirs.waitForURL('**/router/lists')

  const network_number = new URL(home, origin).searchParams.get('network_number') ?? ''
  const ticket = (input: Parameters<typeof callEndpoint<typeof routerApi.trafficTicket>>[3]) =>
    callEndpoint(origin, '/api/v1', routerApi.trafficTicket, input, token)
  await expect(ticket({ kind: 'network', network_number })).rejects.toThrow(' 204 ')
  await expect(ticket({ kind: 'router', router_name: 'NL80C001' })).rejects.toThrow(' 204 ')
  await expect.poll(() => frames.length).toBeGreaterThan(0)
  expect(frames.filter((frame) => /NL80C|NL22P|NL22S/.test(frame))).toEqual([])
})

it.each(FLOW_WIDTHS)(
  'a role that is narrowed while its pages are open loses what they show at once, and a session that ends its page (%i px)',
  async (width) => {
    const account = await newAccount()
    const { username, password, token } = account
    const call = <E extends Endpoint>(spec: E, input: Input<E>) => callEndpoint(origin, '/api/v1', spec, input, token)
    const term = { start_time: Date.now() - 1_000, expired_time: Date.now() + 300 * 86_400_000 } // far from its warnings
    await ops.call(opsApi.setService, {
      account: username,
      kind: 'network_member',
      name: '标准',
      quantity: 20,
      ...term,
    })
    const found = async (n: number, name: string) => {
      const { serial } = await account.claim('NLQ', n, `${name}路由`)
      return { serial, ...(await call(networkApi.create, { network_name: `${name}网`, center: [serial], point: [] })) }
    }
    await found(1, '分支')
    const lost = await found(2, '总部')
    await ops.call(opsApi.setService, { account: username, kind: 'sub_account', name: '子账号', quantity: 1, ...term })
    const boss = await visitor({ width })
    await startSession(boss, origin, username)
    const login = await createDesk(boss, password)
    const { network_number } = lost
    await ops.call(opsApi.sendMessage, { account: username, title: '总部告警', content: 'x', network_number })

    const alerts = await visitor({ width })
    const [topology, router] = [await tab(alerts), await tab(alerts)]
    const frames = [alerts, topology, router].map(recordFrames)
    await startSession(alerts, origin, login, password)
    await alerts.goto('/monitor/setting?tab=alerts')
    await alerts.getByTitle('我的消息，1 条未读', { exact: true }).waitFor()
    await topology.goto(`/network/detail?network_number=${network_number}`)
    await topology.getByText('总部网').first().waitFor()
    await router.goto(`/router/detail?router_name=${lost.serial}`)
    await router.getByText('总部路由').first().waitFor()

    await expect.poll(() => frames.filter((of) => of.length > 0)).toHaveLength(3)
    await editScope(boss, '指定组网', '分支网')
    const before = frames.map((of) => of.length)
    await Promise.all(
      [alerts, topology, router].map((page) => page.getByText('您的权限已变更，页面已重新载入').waitFor()),
    )
    await topology.getByText('组网不存在或已被删除').first().waitFor()
    await router.getByText('成员不存在或已被删除').first().waitFor()
    await alerts.getByTitle('我的消息', { exact: true }).waitFor()
    for (const page of [alerts, topology, router]) expect(await page.getByText(/总部/).count()).toBe(0)
    const later = frames.flatMap((of, i) => of.slice(before[i]))
    expect(later.filter((frame) => frame.includes(lost.serial) || frame.includes(network_number))).toEqual([])
    await alerts.goto('/network/lists')
    await alerts.getByText('分支网').first().waitFor()
    expect(await alerts.getByText('总部网').count()).toBe(0)

    await editScope(boss, '全部组网')
    await alerts.getByText('您的权限已变更，页面已重新载入').waitFor()
    await alerts.getByText('总部网').first().waitFor()

    const rows = await call(accountApi.sessions, { limit: 50 })
    const desk = rows.find((row) => row.username === login)
    await call(accountApi.endSession, { session_id: desk!.session_id })
    await alerts.waitForURL('**/login*')
    await alerts.getByText('登录已过期，请重新登录!').first().waitFor()
  },
)

/** A role that views monitoring, and a sub-account with it, as the main account makes them; answers its sign-in name. */
async function createDesk(boss: Page, password: string): Promise<string> {
  await boss.goto('/ram/role')
  await boss.getByRole('button', { name: '添加角色' }).first().click()
  const role = boss.getByRole('dialog', { name: '添加角色' })
  await role.getByLabel('角色名称').click()
  await role.getByText('指定组网', { exact: true }).click({ delay: 80 }) // leaves the empty name
  expect(await role.getByRole('radio', { name: '指定组网' }).isChecked()).toBe(true)
  await role.getByText('请输入角色名称').waitFor()
  await role.getByText('全部组网', { exact: true }).click()
  await role.getByLabel('角色名称').fill('值班')
  await role.getByRole('group', { name: '监控权限' }).getByText('查看').click()
  await role.getByRole('button', { name: '添加' }).click()
  await boss.getByText('添加成功').waitFor()
  await openFromMenu(boss, '访问控制', '子账号')
  await boss.getByText('0 / 1').waitFor()
  await boss.getByRole('button', { name: '添加子账号' }).first().click()
  const desk = boss.getByRole('dialog', { name: '添加子账号' })
  await desk.getByLabel('账号').fill('desk')
  await desk.getByLabel('昵称').fill('值班员')
  await desk.getByRole('combobox', { name: '角色' }).click()
  await boss.getByRole('option', { name: '值班' }).click()
  await desk.locator('input[type=password]').fill(password)
  const suffix = await desk.getByText(/^@/).textContent()
  await desk.getByRole('button', { name: '添加', exact: true }).click()
  await boss.getByText('1 / 1').waitFor()
  return `desk${suffix}`
}

/** The main account changes which networks the role sees. */
async function editScope(boss: Page, scope: string, network?: string): Promise<void> {
  await boss.goto('/ram/role')
  await boss.getByRole('table', { name: '角色' }).getByRole('button', { name: /^编辑/ }).click()
  const dialog = boss.getByRole('dialog', { name: '编辑角色' })
  await dialog.getByText(scope, { exact: true }).click()
  if (network !== undefined) await dialog.getByText(network).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await boss.getByText('修改成功').waitFor()
}

/** Pages of the menu, whose groups are open one at a time. */
async function menuEntries(page: Page): Promise<string[]> {
  const menu = page.getByRole('navigation', { name: '主菜单' })
  const entries: string[] = []
  for (const group of await menu.locator('button[aria-expanded]').all()) {
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
    entries.push(...(await menu.locator('ul ul a').allTextContents()))
  }
  return entries
}
