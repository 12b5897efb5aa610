import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  chooseFromMenu,
  chooseMember,
  findNetworkPath,
  field,
  startSession,
  useBrowserHarness,
} from './browser-harness.ts'

const { origin, visitor, tab } = useBrowserHarness()

/** A network of one router that nothing else depends on. */
async function create(page: Page, name: string): Promise<string> {
  await page.goto('/network/create')
  await field(page, '组网名称').fill(name)
  await chooseMember(page, '苏州灾备机房', '中心点')
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/detail?*')
  return page.url()
}

it('redirects viewers, editors and the user who deleted a network to the list', async () => {
  const name = '会被删除的组网'
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  const address = await create(page, name)
  const [watching, editing] = [await tab(page), await tab(page)]
  await watching.goto(`${address}&view=table`)
  await watching.getByRole('cell', { name: '中心点', exact: true }).waitFor()
  await editing.goto(address.replace('/detail', '/edit'))
  await field(editing, '组网名称').fill('来不及保存的名称')

  await page.bringToFront()
  await chooseFromMenu(page, name, '删除')
  await page.getByRole('alertdialog').getByRole('textbox').fill(name)
  await page.getByRole('button', { name: '删除组网' }).click()
  await page.waitForURL('**/network/lists')
  await page.getByText('删除成功').waitFor()
  expect(await page.getByText('组网不存在或已被删除').count()).toBe(0)

  await watching.waitForURL('**/network/lists')
  await editing.bringToFront()
  await editing.getByRole('button', { name: '保存' }).click()
  await editing.waitForURL('**/network/lists')
  await editing.getByText('组网不存在或已被删除').waitFor()
})

it('opens a member of the drawing by a click that moves slightly, and pans by a drag', async () => {
  const page = await visitor()
  const token = await startSession(page, origin, 'demo01')
  await page.goto(`${await findNetworkPath(origin, token, '总部与分支互联')}&view=graph`)
  const box = page.locator('.x6-node').filter({ hasText: '北京分公司' })
  const press = async (dragPx: number) => {
    const { x, y } = (await box.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(x + 60, y + 20)
    await page.mouse.down()
    for (let px = 1; px <= dragPx; px++) await page.mouse.move(x + 60 + px, y + 20)
    await page.mouse.up()
    return x
  }
  await box.waitFor()
  const before = await press(40)
  await expect.poll(async () => (await box.boundingBox())?.x).toBeGreaterThan(before + 30)
  const panel = page.getByRole('complementary', { name: '北京分公司' })
  expect(await panel.count()).toBe(0)
  await press(2)
  await panel.getByText('NL22P001').waitFor()
  await page.reload()
  await panel.getByText('NL22P001').waitFor()
  await panel.getByRole('button', { name: '关闭' }).click()
  await expect.poll(() => panel.count()).toBe(0)
})
