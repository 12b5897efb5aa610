import { readFileSync, readdirSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import {
  chooseFromMenu,
  chooseMember,
  findNetworkPath,
  field,
  startSession,
  useBrowserHarness,
} from './browser-harness.ts'

const NETWORK = '总部与分支互联'
const SERIAL = 'NL22P001'
const NOTE = '北京分公司'
const { origin, visitor, tab } = useBrowserHarness()

/** The agent's process, by its command line, among those that our own start runs. */
function findAgent(serial: string): number {
  const data = inject('data')
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = readCommand(pid)
    if (command.includes(`--serial\0${serial}\0`) && command.includes(data)) return Number(pid)
  }
  throw new Error(`no agent of ${serial}`)
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}

it('shows a router that disconnects and reconnects in list, detail, table and graph, without a reload', async () => {
  const list = await visitor()
  const address = await findNetworkPath(origin, await startSession(list, origin, 'demo01'), NETWORK)
  const [table, graph, detail] = [await tab(list), await tab(list), await tab(list)]
  await list.goto(`/router/lists?search=${SERIAL}`)
  await table.goto(`${address}&view=table`)
  await graph.goto(`${address}&view=graph`)
  await detail.goto(`/router/detail?router_name=${SERIAL}`)
  const places = {
    list: list.getByRole('row').filter({ hasText: SERIAL }),
    table: table.getByRole('row').filter({ hasText: SERIAL }),
    graph: graph.locator('.x6-node').filter({ hasText: NOTE }),
    detail: detail.locator('header').filter({ hasText: NOTE }),
  }
  const { graph: node, ...named } = places
  /** A node that is well has its address alone. */
  const nodeText = (word: string) => (word === '在线' ? /^10\.200\.[\d. ·]+$/ : word)
  const everywhere = (word: string) =>
    Promise.all([
      ...Object.values(named).map((place) => place.getByText(word).first().waitFor({ state: 'attached' })),
      node.getByText(nodeText(word)).first().waitFor({ state: 'attached' }),
    ])
  await everywhere('在线')
  const loads = await Promise.all(
    [list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin)),
  )

  process.kill(findAgent(SERIAL), 'SIGKILL')
  await everywhere('重连中')
  await everywhere('在线')

  expect(
    await Promise.all([list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin))),
  ).toEqual(loads)
})

it('queues what changes while a device is away, and delivers it once it is back', async () => {
  const centre = 'NL80C002'
  const list = await visitor()
  await startSession(list, origin, 'demo01')
  await list.goto(`/router/lists?search=${centre}`)
  const row = list.getByRole('row').filter({ hasText: centre })
  await row.getByText('已生效').waitFor()
  const loaded = await list.evaluate(() => performance.timeOrigin)

  const page = await tab(list)
  await page.goto('/network/create')
  await field(page, '组网名称').fill('离线下发验收')
  await chooseMember(page, '苏州灾备机房', '中心点')
  await chooseMember(page, '成都分公司')
  process.kill(findAgent(centre), 'SIGKILL') // comes back after five seconds
  await row.getByText('重连中').waitFor()
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/detail?*')
  await page.getByText('1 台离线，上线后自动下发').waitFor()
  await row.getByText('排队').waitFor()
  await page.getByRole('button', { name: '成员', exact: true }).click()
  const member = page.getByRole('row').filter({ hasText: centre })
  await member.getByText('排队').waitFor()

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
