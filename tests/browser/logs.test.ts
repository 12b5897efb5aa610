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

it.each(PAGE_WIDTHS)(
  'a range is typed, or picked in a calendar that loads with its opening, in an English browser, too (%i px)',
  async (width) => {
    const page = await visitor({ width, locale: 'en-US' })
    let chunks = 0
    page.on('request', (request) => void (chunks += /\/calendar-[^/]+\.js/.test(request.url()) ? 1 : 0))
    await startSession(page, origin, 'demo01')
    await page.goto('/logs/audit')
    const end = page.getByLabel('结束日期')
    await end.fill('2026-11')
    await end.press('Tab')
    await page.getByText('结束日期不正确，请按 yyyy-MM-dd 填写').waitFor()
    await end.fill('２０２６/11/１８')
    await end.press('Enter')
    await page.waitForURL(/2026-11-18$/)
    await expect.poll(() => end.inputValue()).toBe('2026-11-18') // the page follows its address
    expect(chunks).toBe(0)
    await end.press('ArrowDown')
    const calendar = page.getByRole('dialog', { name: '选择时间范围' })
    await expect.poll(() => calendar.locator(':focus').getAttribute('aria-label')).toBe('2026年11月18日')
    expect(chunks).toBe(1)
    expect(await calendar.innerText()).not.toMatch(/[A-Za-z]/)
    const box = await calendar.boundingBox()
    expect(box !== null && box.x >= 0 && box.x + box.width <= width).toBe(true)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(/2026-11-19$/)
    await calendar.waitFor({ state: 'detached' })
    expect(await end.evaluate((input) => input === document.activeElement)).toBe(true)
  },
)

it('links of hardware and dials of software stand in one log', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  const rows = page.getByRole('table', { name: '拨号记录' }).getByRole('row')
  // The page reads its log once; devices of a started demo need half a minute for their first links and dials.
  const expectLogged = async (search: string, name: string) => {
    const inLog = rows.filter({ hasText: name }).first()
    await expect
      .poll(async () => {
        await page.goto(`/logs/online?search=${search}`)
        await inLog.waitFor({ timeout: 5_000 }).catch(() => {})
        return inLog.isVisible()
      })
      .toBe(true)
  }
  await expectLogged('NL22P001', '北京分公司')
  await expectLogged('qiming', '@qiming')
})
