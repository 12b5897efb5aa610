import { expect, it } from 'vitest'
import { createInspector, PANEL_WIDTHS } from '../inspector.ts'
import { chooseFromMenu, field, findNetworkPath, startSession, useBrowserHarness } from '../browser-harness.ts'

const { origin, visitor } = useBrowserHarness()
const NAME = '港口仓储网'

it('a person compares routes with those of the device, and finds by a diagnosis where a packet goes', async () => {
  const page = await visitor()
  const { faults, inspect } = createInspector(page)
  const token = await startSession(page, origin, 'demo02')
  const network = await findNetworkPath(origin, token, NAME)
  await page.goto(`${network}&view=routes&member=NL22Y002`)
  const table = page.getByRole('table', { name: '路由' })
  await table.getByText('一致').first().waitFor()
  const prefix = (await table.locator('.nl-mono').first().textContent()) ?? ''
  expect(prefix).toMatch(/^\d+\.\d+\.\d+\.\d+\/\d+$/)
  await inspect('actual-routes', PANEL_WIDTHS)

  await chooseFromMenu(page, NAME, '诊断')
  const dialog = page.getByRole('dialog', { name: '诊断' })
  await field(page, '目的地址').fill('198.51.100.80')
  await dialog.getByRole('button', { name: '开始' }).click()
  await dialog.getByText(/不在组网“港口仓储网”的有效网段内/).waitFor()
  await inspect('diagnosis-form', PANEL_WIDTHS)
  await field(page, '目的地址').fill(prefix.replace(/\.\d+\/\d+$/, '.9'))
  await dialog.getByRole('button', { name: '开始' }).click()
  await dialog.getByText(/逐跳一致|没有到|应经由|无法继续/).waitFor()
  await dialog.getByRole('list', { name: '诊断步骤' }).getByRole('listitem').first().waitFor()
  await inspect('diagnosis-steps', PANEL_WIDTHS)
  await page.keyboard.press('Escape')
  await chooseFromMenu(page, NAME, '诊断记录')
  await page
    .getByRole('dialog', { name: '诊断记录' })
    .getByText(/^路径分析/)
    .first()
    .waitFor()
  await inspect('diagnoses', PANEL_WIDTHS)
  expect(faults).toEqual([])
})
