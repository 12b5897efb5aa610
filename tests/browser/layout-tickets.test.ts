import { expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import {
  THEMES,
  WIDTHS,
  chooseTheme,
  field,
  resize,
  sideScroll,
  startSession,
  useBrowserHarness,
} from './browser-harness.ts'

const { origin, visitor } = useBrowserHarness()

it('tickets of the demo fit every width, and axe finds nothing moderate or worse in light and dark', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  const isSound = async () => {
    for (const theme of THEMES) {
      await chooseTheme(page, theme)
      for (const width of [WIDTHS.wide, WIDTHS.narrow, WIDTHS.phone]) {
        await resize(page, width)
        expect(await sideScroll(page)).toBe(0)
      }
      expect(await findViolations(page, theme)).toEqual([])
    }
    await resize(page, WIDTHS.wide)
  }
  await page.goto('/ticket/lists')
  await page.getByText('顾问将在工作日 9:00-18:00 于工单内回复').waitFor()
  await isSound()
  await page.getByRole('link', { name: '北京分公司访问总部时断时续' }).click()
  await page.getByRole('log', { name: '沟通记录' }).getByRole('listitem').nth(3).waitFor()
  await page.getByText('诊断快照 · 成员').click()
  await page.getByText('配置版本', { exact: true }).waitFor()
  await isSound()
  await page.goto('/ticket/create?service_name=骨干带宽')
  await expect.poll(() => field(page, '标题').inputValue()).toBe('续费：骨干带宽')
  await isSound()
})
