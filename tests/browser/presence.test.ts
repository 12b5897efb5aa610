import { expect, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import {
  chooseFromMenu,
  chooseMember,
  findNetworkPath,
  field,
  startSession,
  useBrowserHarness,
} from './browser-harness.ts'
import { useDevices } from './devices.ts'

const NETWORK = '总部与分支互联'
const DAY_MS = 86_400_000
const { origin, visitor, tab } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

/** An account whose network has a centre and a point; each device comes and goes when the test says so. */
async function createNetwork(name: string) {
  const account = await newAccount()
  await ops.call(opsApi.setService, {
    account: account.username,
    kind: 'network_member',
    name: '标准服务',
    quantity: 10,
    start_time: Date.now() - DAY_MS,
    expired_time: Date.now() + 100 * DAY_MS,
  })
  const [center, point] = [await account.start('NLPRES', 0, '总部机房'), await account.start('NLPRES', 1, '第一门店')]
  const members = { network_name: name, center: [center.serial], point: [point.serial] }
  const { network_number } = await callEndpoint(origin, '/api/v1', networkApi.create, members, account.token)
  return { ...account, center, point, address: `/network/detail?network_number=${network_number}` }
}

it('shows a router that disconnects and reconnects in list, detail, table and graph, without a reload', async () => {
  const { username, address, point } = await createNetwork('来去验收')
  const list = await visitor()
  await startSession(list, origin, username)
  const [table, graph, detail] = [await tab(list), await tab(list), await tab(list)]
  await list.goto(`/router/lists?search=${point.serial}`)
  await table.goto(`${address}&view=table`)
  await graph.goto(`${address}&view=graph`)
  await detail.goto(`/router/detail?router_name=${point.serial}`)
  const places = {
    list: list.getByRole('row').filter({ hasText: point.serial }),
    table: table.getByRole('row').filter({ hasText: point.serial }),
    graph: graph.locator('.x6-node').filter({ hasText: '第一门店' }),
    detail: detail.locator('header').filter({ hasText: '第一门店' }),
  }
  const { graph: node, ...named } = places
  /** A node that is well has its address alone. */
  const nodeText = (word: string) => (word === '在线' ? /^100\.[\d. ·]+$/ : word)
  const everywhere = (word: string) =>
    Promise.all([
      ...Object.values(named).map((place) => place.getByText(word).first().waitFor({ state: 'attached' })),
      node.getByText(nodeText(word)).first().waitFor({ state: 'attached' }),
    ])
  await everywhere('在线')
  const loads = await Promise.all(
    [list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin)),
  )

  point.agent.kill('SIGKILL')
  await everywhere('离线')
  point.folder.run(origin)
  await everywhere('在线')

  expect(
    await Promise.all([list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin))),
  ).toEqual(loads)
})

it('queues what changes while a device is away, and delivers it once it is back', async () => {
  const { username, center } = await createNetwork('先前的组网')
  const list = await visitor()
  await startSession(list, origin, username)
  await list.goto(`/router/lists?search=${center.serial}`)
  const row = list.getByRole('row').filter({ hasText: center.serial })
  await row.getByText('已生效').waitFor()
  const loaded = await list.evaluate(() => performance.timeOrigin)

  const page = await tab(list)
  await page.goto('/network/create')
  await field(page, '组网名称').fill('离线下发验收')
  await chooseMember(page, '总部机房', '中心点')
  await chooseMember(page, '第一门店')
  center.agent.kill('SIGKILL')
  await row.getByText('离线').waitFor()
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/detail?*')
  await page.getByText('1 台离线，上线后自动下发').waitFor()
  await row.getByText('排队').waitFor()
  await page.getByRole('button', { name: '成员', exact: true }).click()
  const member = page.getByRole('row').filter({ hasText: center.serial })
  await member.getByText('排队').waitFor()

  center.folder.run(origin)
  for (const place of [row, member]) {
    await place.getByText('在线').waitFor()
    await place.getByText('已生效').waitFor()
  }
  expect(await list.evaluate(() => performance.timeOrigin)).toBe(loaded)
  await chooseFromMenu(page, '离线下发验收', '删除')
  await page.getByRole('alertdialog').getByRole('textbox').fill('离线下发验收')
  await page.getByRole('button', { name: '删除组网' }).click()
  await page.waitForURL('**/network/lists')
})

it('shows 从未上线 for an unconnected device, everywhere', async () => {
  const page = await visitor()
  const address = await findNetworkPath(origin, await startSession(page, origin, 'demo01'), NETWORK)
  await page.goto('/router/lists?search=NL22P006')
  await page.getByRole('row').filter({ hasText: 'NL22P006' }).getByText('从未上线').waitFor()
  await page.goto('/router/detail?router_name=NL22P006')
  await page.getByText('从未上线').first().waitFor()
  await page.goto(`${address}&view=table`)
  await page.getByRole('row').filter({ hasText: 'NL22P006' }).getByText('从未上线').waitFor()
  await page.goto(`${address}&view=graph`)
  const box = page.locator('.x6-node').filter({ hasText: '青岛保税仓' })
  await expect.poll(() => box.textContent()).toContain('从未上线')
})
