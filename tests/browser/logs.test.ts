import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as XLSX from 'xlsx'
import { openFromMenu, startSession, useBrowserHarness } from './browser-harness.ts'
import { PAGE_WIDTHS } from './inspector.ts'

const { visitor, origin } = useBrowserHarness()

it.each(PAGE_WIDTHS)(
  'the audit is filtered in the address, opened and exported, and the export stands in it (%i px)',
  async (width) => {
    const page = await visitor({ width })
    await startSession(page, origin, 'demo01')
    await page.goto('/dashboard')
    await openFromMenu(page, '安全审计', '操作审计')
    await page.getByLabel('按模块筛选').selectOption('组网')
    await page.waitForURL('**/logs/audit?module=network')
    await page.reload()
    const table = page.getByRole('table', { name: '操作审计' })
    await table
      .getByRole('button', { name: /^(添加|创建|修改|设置|调整)/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText('请求编号').waitFor()
    await page.keyboard.press('Escape')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出' }).click()
    const download = await downloading
    await page.getByText('导出成功').waitFor()
    expect(download.suggestedFilename()).toMatch(/^操作审计_\d{14}\.xlsx$/)
    const { Sheets, SheetNames } = XLSX.read(readFileSync(await download.path()))
    const rows = XLSX.utils.sheet_to_json<Record<string, string>>(Sheets[SheetNames[0] ?? ''] ?? {})
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map((row) => row['模块']))).toEqual(new Set(['组网']))
    expect(rows.some((row) => row['变更内容'])).toBe(true)
    await page.getByLabel('按模块筛选').selectOption('日志')
    await table.getByText(`导出操作审计${rows.length}条`).first().waitFor()
  },
)

it('links of hardware and dials of software stand in one log', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  const rows = page.getByRole('table', { name: '拨号记录' }).getByRole('row')
  await page.goto('/logs/online?search=NL22P001')
  await expect.poll(() => rows.filter({ hasText: '北京分公司' }).count()).toBeGreaterThan(0)
  await page.goto('/logs/online?search=qiming')
  await expect.poll(() => rows.filter({ hasText: '@qiming' }).count()).toBeGreaterThan(0)
})
