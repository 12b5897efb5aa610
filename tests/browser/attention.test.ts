import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { findViolations } from './axe.ts'
import { THEMES, WIDTHS, sideScroll, startSession, useBrowserHarness } from './browser-harness.ts'
import { useOps } from './ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)
const SHOTS = process.env['SHOTS']
const DAY_MS = 86_400_000

const shoot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}
const card = (page: Page) => page.getByRole('region', { name: '待处理' })

/** A tenant with a service that ends soon, its main account, and a colleague with no right beyond looking. */
async function openPeople() {
  const { username: account, password } = await ops.newAccount()
  const service = {
    account,
    kind: 'network_member',
    name: '席位',
    quantity: 10,
    start_time: Date.now() - DAY_MS,
  } as const
  await ops.call(opsApi.setService, { ...service, expired_time: Date.now() + 20 * DAY_MS })
  const ram = { account, password, flags: [], username: 'all', nickname: '同事', role: '查看' }
  const { login_name } = await ops.call(opsApi.createRam, ram)
  const open = async (name: string) => {
    const page = await visitor()
    await startSession(page, origin, name, password)
    await page.goto('/dashboard')
    await card(page).getByRole('button', { name: '详情 席位' }).waitFor()
    return page
  }
  return { main: await open(account), colleague: await open(login_name), login_name, account }
}

it('a row unfolds by keyboard, and who takes it over is seen by the others at once', async () => {
  const { main, colleague, login_name, account } = await openPeople()
  await main.getByRole('button', { name: '详情 席位' }).focus()
  await main.keyboard.press('Enter')
  await card(main).getByRole('region', { name: '建议步骤' }).waitFor()
  expect(await findViolations(main, 'light')).toEqual([])
  await card(colleague).getByText('还有 20 天到期').click()
  await card(colleague).getByRole('button', { name: '我来处理 席位' }).click()
  await card(main).getByText(`${login_name} 处理中`).waitFor()
  await card(main)
    .getByText(/起处理$/)
    .waitFor()
  await ops.call(opsApi.sendMessage, { account, title: '维护通知', content: '维护通知的内容' })
  await main.getByTitle('我的消息，1 条未读', { exact: true }).click()
  const popup = main.getByRole('dialog', { name: '最新消息' })
  await popup.getByText('维护通知').waitFor()
  expect(await findViolations(main, 'light')).toEqual([])
  await shoot(main, 'bell')
  await popup.getByRole('button', { name: '标为已读 维护通知' }).click()
  await main.getByTitle('我的消息', { exact: true }).waitFor()
})

it('rows of the demo unfold at each width and in both themes without a fault', async () => {
  for (const width of [WIDTHS.wide, WIDTHS.phone])
    for (const theme of THEMES) {
      const page = await visitor({ width, theme })
      await startSession(page, origin, 'demo01')
      await page.goto('/dashboard')
      const toggles = card(page).getByRole('button', { name: /^详情 / })
      await toggles.first().waitFor()
      await toggles.first().click()
      await card(page).getByRole('region', { name: '建议步骤' }).waitFor()
      expect(await findViolations(page, theme)).toEqual([])
      expect(await sideScroll(page)).toBe(0)
      await card(page).scrollIntoViewIfNeeded()
      await shoot(page, `attention ${width} ${theme}`)
      await page.getByTitle(/^我的消息/).click()
      await page.getByRole('dialog', { name: '最新消息' }).getByText('查看全部').waitFor()
      expect(await sideScroll(page)).toBe(0)
      await shoot(page, `bell ${width} ${theme}`)
    }
})
