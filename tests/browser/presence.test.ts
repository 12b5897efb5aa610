import { readFileSync, readdirSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { addressOf, signIn, useStage } from './stage.ts'

const NETWORK = '总部与分支互联'
const SERIAL = 'NL22P001'
const NOTE = '北京分公司'
const { origin, visitor, tab } = useStage()

/** The agent's process, by its command line, among those that our own start runs. */
function agentOf(serial: string): number {
  const data = inject('data')
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = commandOf(pid)
    if (command.includes(`--serial\0${serial}\0`) && command.includes(data)) return Number(pid)
  }
  throw new Error(`no agent of ${serial}`)
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}

it('shows a router that dies and comes back in list, detail, table and graph at once, without a reload', async () => {
  const list = await visitor()
  await signIn(list, origin, 'demo01')
  const address = await addressOf(list, NETWORK)
  const [table, graph, detail] = [await tab(list), await tab(list), await tab(list)]
  await list.goto(`/router/lists?search=${SERIAL}`)
  await table.goto(`${address}&view=table`)
  await graph.goto(`${address}&view=graph`)
  await detail.goto(`/router/detail?router_name=${SERIAL}`)
  const places = {
    list: list.getByRole('row').filter({ hasText: SERIAL }),
    table: table.getByRole('row').filter({ hasText: SERIAL }),
    graph: graph.locator('.nl-topology-paper .x6-node').filter({ hasText: NOTE }),
    detail: detail.locator('header').filter({ hasText: NOTE }),
  }
  const seen = Object.values(places)
  const everywhere = (word: string) =>
    Promise.all(seen.map((place) => place.getByText(word).first().waitFor({ state: 'attached' })))
  await everywhere('在线')
  const loads = await Promise.all(
    [list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin)),
  )

  process.kill(agentOf(SERIAL), 'SIGKILL')
  await everywhere('重连中')
  await everywhere('在线')

  expect(
    await Promise.all([list, table, graph, detail].map((page) => page.evaluate(() => performance.timeOrigin))),
  ).toEqual(loads)
})

it('says of a device that is still in its box that it never was online, everywhere', async () => {
  const page = await visitor()
  await signIn(page, origin, 'demo01')
  const address = await addressOf(page, NETWORK)
  await page.goto('/router/lists?search=NL22P006')
  await page.getByRole('row').filter({ hasText: 'NL22P006' }).getByText('从未上线').waitFor()
  await page.goto('/router/detail?router_name=NL22P006')
  await page.getByText('从未上线').first().waitFor()
  await page.goto(`${address}&view=table`)
  await page.getByRole('row').filter({ hasText: 'NL22P006' }).getByText('从未上线').waitFor()
  await page.goto(`${address}&view=graph`)
  const box = page.locator('.nl-topology-paper .x6-node').filter({ hasText: '青岛保税仓' })
  await expect.poll(() => box.textContent()).toContain('从未上线')
})
