import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import config from '#infra/hosts.json'
import { findViolations } from './axe.ts'
import { chooseTheme, THEMES, type Theme, useBrowserHarness } from './browser-harness.ts'

const { visitor } = useBrowserHarness()

const focused = (page: Page) =>
  page.evaluate(() => {
    const place = document.activeElement
    const { outlineStyle, boxShadow } =
      place === null ? { outlineStyle: 'none', boxShadow: 'none' } : getComputedStyle(place)
    return {
      text: place?.textContent ?? '',
      isInDialog: place?.closest('[role="dialog"], [role="alertdialog"]') !== null,
      isOnPage: place?.closest('#root') !== null,
      hasRing: outlineStyle !== 'none' || boxShadow !== 'none',
    }
  })

async function openKit(theme: Theme = 'light'): Promise<Page> {
  const page = await visitor({ theme })
  await page.goto('/__local/kit')
  await page.getByRole('button', { name: '确认', exact: true }).waitFor()
  return page
}

it('dialogs and drawers trap the focus and return it', async () => {
  const page = await openKit()
  for (const name of ['表单对话框', '对话框', '侧边抽屉', '输入确认']) {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.locator('[aria-modal="true"]')
    await dialog.waitFor()
    expect((await focused(page)).isInDialog, `${name} takes the focus`).toBe(true)
    const seen = new Set<string>()
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press(press < 6 ? 'Tab' : 'Shift+Tab')
      const { isOnPage, isInDialog, text } = await focused(page)
      expect(isOnPage, `${name} keeps the focus`).toBe(false)
      if (isInDialog) seen.add(text)
    }
    expect(seen.size, `${name} moves the focus`).toBeGreaterThan(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await focused(page)).text).toBe(name)
  }
})

it('Escape closes an open list first, then the dialog under it', async () => {
  const page = await openKit()
  await page.getByRole('button', { name: '表单对话框', exact: true }).click()
  const list = page.getByRole('dialog').getByRole('combobox', { name: '加密算法' })
  await list.click()
  expect(await list.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Escape')
  await expect.poll(() => list.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

it('remains open while its action is pending', async () => {
  const page = await openKit()
  await page.getByRole('button', { name: '确认', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: '删除 3 台路由器' }).click()
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  await dialog.waitFor({ state: 'detached' })
})

it.each(THEMES)('shows a focus ring (%s)', async (theme) => {
  const page = await openKit(theme)
  const unmarked: string[] = []
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab')
    const { isOnPage, hasRing, text } = await focused(page)
    const isField = await page.evaluate(() => document.activeElement?.closest('[class*="-focus"]') !== null)
    if (isOnPage && !hasRing && !isField) unmarked.push(text)
  }
  expect(unmarked).toEqual([])
})

it('respects prefers-reduced-motion', async () => {
  const page = await openKit()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('button', { name: '对话框', exact: true }).click()
  const seconds = await page
    .locator('[aria-modal="true"]')
    .evaluate((panel) => parseFloat(getComputedStyle(panel).animationDuration))
  expect(seconds).toBeLessThan(0.001)
})

/** Contrast of two CSS colours as they are painted, for tokens that are derived and not written down. */
const measureContrast = (page: Page, one: string, other: string): Promise<number> =>
  page.evaluate(
    (colours) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      const [a, b] = colours.map((colour) => {
        if (canvas === null) throw new Error('no canvas')
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
          value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        )
        return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) + 0.05
      })
      return Math.max(a ?? 0, b ?? 0) / Math.min(a ?? 1, b ?? 1)
    },
    [one, other],
  )

it.each(THEMES)('every brand’s accent has enough contrast, as text and under text (%s)', async (theme) => {
  const page = await openKit(theme)
  const accents = [...Object.values(config.hosts).map(({ accent }) => accent), '#f5a200', '#00a870', '#111111']
  for (const accent of accents) {
    const [text, panel, solid, label] = await page.evaluate((chosen) => {
      document.documentElement.style.setProperty('--netloom-accent', chosen)
      const button = document.querySelector('.semi-button-primary.semi-button-solid')
      const sheet = document.querySelector('.nl-panel')
      const link = document.querySelector('.nl-panel a')
      if (button === null || sheet === null || link === null) throw new Error('the kit has changed')
      for (const place of [button, link]) for (const animation of place.getAnimations()) animation.finish()
      return [
        getComputedStyle(link).color,
        getComputedStyle(sheet).backgroundColor,
        getComputedStyle(button).backgroundColor,
        getComputedStyle(button).color,
      ]
    }, accent)
    expect(await measureContrast(page, text ?? '', panel ?? ''), `${accent} as text`).toBeGreaterThanOrEqual(4.5)
    expect(await measureContrast(page, label ?? '', solid ?? ''), `text on ${accent}`).toBeGreaterThanOrEqual(4.5)
  }
})

const PATTERNS = [
  '',
  '?pattern=list',
  '?pattern=list&rows=long',
  '?pattern=list&rows=cards',
  '?pattern=list&rows=0',
  '?pattern=detail',
  '?pattern=detail&rows=long',
  '?pattern=settings',
  '?pattern=settings&rows=long',
  '?pattern=wizard',
  '?pattern=wizard&rows=long',
  '?pattern=wizard&rows=0',
]

it('axe finds nothing moderate or worse in the kit and its patterns, in light and dark', async () => {
  const page = await visitor()
  const faults: string[] = []
  for (const pattern of PATTERNS) {
    await page.goto(`/__local/kit${pattern}`)
    await page.getByRole('heading').first().waitFor()
    for (const theme of THEMES) {
      await chooseTheme(page, theme)
      for (const fault of await findViolations(page, theme)) faults.push(`${pattern} (${theme}): ${fault}`)
    }
  }
  expect(faults).toEqual([])
})

it('rows of a phone are two lines, and a table stays one at 640 px', async () => {
  const page = await visitor({ width: 390 })
  await page.goto('/__local/kit?pattern=list')
  const rows = page.locator('.nl-table tbody tr')
  await expect.poll(() => rows.count()).toBe(10)
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(76)
  await page.setViewportSize({ width: 640, height: 900 })
  expect(await page.getByRole('columnheader', { name: '成员' }).isVisible()).toBe(true)
  expect(await rows.first().evaluate((row) => getComputedStyle(row).display)).toBe('table-row')
})

it('the steps of a wizard have their whole names on a phone', async () => {
  const page = await visitor({ width: 390 })
  await page.goto('/__local/kit?pattern=wizard')
  const steps = page.locator('.nl-wizard .semi-steps-item')
  await expect.poll(() => steps.count()).toBe(3)
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    const cut = await steps.evaluateAll((all) =>
      all.flatMap((step) => {
        const text = step.querySelector('.semi-steps-item-title-text')!
        const range = document.createRange()
        range.selectNodeContents(text)
        const [box, shown, own] = [step, text, range].map((one) => one.getBoundingClientRect())
        const isCut = own!.right > Math.min(box!.right, shown!.right) + 1 || own!.bottom > box!.bottom + 1
        return isCut || own!.width === 0 ? [text.textContent] : []
      }),
    )
    expect([width, cut]).toEqual([width, []])
  }
})

it('a name of any length stands beside verbs and box of its card', async () => {
  const page = await visitor({ width: 390 })
  await page.goto('/__local/kit?pattern=list&rows=cards')
  const rows = page.locator('.nl-cards tbody tr')
  await expect.poll(() => rows.count()).toBe(10)
  const covered = await rows.evaluateAll((all) =>
    all.flatMap((row) => {
      const text = document.createRange()
      text.selectNodeContents(row.querySelector('.nl-name') ?? row)
      const controls = [...row.querySelectorAll('.nl-stuck button, .nl-stuck a, .nl-check')]
      const boxes = controls.map((control) => control.getBoundingClientRect())
      const isCovered = [...text.getClientRects()].some((line) =>
        boxes.some(
          ({ left, right, top, bottom }) =>
            line.right > left && line.left < right && line.bottom > top && line.top < bottom,
        ),
      )
      return isCovered || boxes.length < 2 ? [row.textContent] : []
    }),
  )
  expect(covered).toEqual([])
})
