import { expect, it } from 'vitest'
import { useBrowserHarness } from './browser-harness.ts'

const { visitor } = useBrowserHarness()

/** The handbook of the product, as `npm start` imports it. */
it('a visitor reads the handbook: searches, follows links, enlarges an image', async () => {
  const page = await visitor()
  await page.goto('/handbook')
  await page.getByRole('heading', { level: 1, name: '认识控制台' }).waitFor()
  expect(new URL(page.url()).searchParams.get('title')).toBe('认识控制台')

  await page.getByRole('textbox', { name: '搜索手册' }).fill('国密')
  await page.getByRole('link', { name: '加密算法' }).click()
  await page.getByRole('heading', { level: 1, name: '加密算法' }).waitFor()
  const image = page.getByRole('button', { name: '设置加密算法' })
  await image.click()
  await page.locator('.semi-image-preview').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.semi-image-preview').waitFor({ state: 'detached' })
  expect(await image.locator('img').evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(100)

  await page.goto('/handbook?id=dns')
  await page.getByRole('link', { name: '有效路由' }).click()
  await page.getByRole('heading', { level: 1, name: '查看一台路由器' }).waitFor()
  const heading = page.getByRole('heading', { level: 2, name: '有效路由怎么读' })
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(900)
})
