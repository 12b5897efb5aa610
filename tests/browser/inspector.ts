import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isStepInTurn, oneInTurn } from '#tests/support/depth.ts'
import { findViolations } from './axe.ts'
import { findForeign } from './foreign-text.ts'
import { chooseTheme, resize, sideScroll, THEMES, type Theme, WIDTHS } from './browser-harness.ts'

const SHOTS = process.env['SCREENSHOTS'] ?? join(tmpdir(), 'netloom-screenshots')
const BLANK_BYTES = 8_000 // a blank screenshot is smaller
/** Widths at which pages, panels and dialogs change layout; between them a page only has to fit. */
export const PANEL_WIDTHS: readonly number[] = [WIDTHS.wide, WIDTHS.phone]
export const PAGE_WIDTHS = [WIDTHS.wide, WIDTHS.narrow, WIDTHS.phone]
/** A flow is walked at one of them, in turn from run to run. */
export const FLOW_WIDTHS = oneInTurn(PAGE_WIDTHS)
/** Colours move nothing: what is laid out in light is looked at in dark only where a page becomes another one. */
const widthsOf = (theme: Theme, widths: readonly number[]) =>
  theme === 'light' ? widths : widths.filter((width) => PANEL_WIDTHS.includes(width))
mkdirSync(SHOTS, { recursive: true })

/** Looks at a page of one theme at several widths; returns those at which something is wrong. */
export async function findFaults(page: Page, name: string, widths: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await resize(page, width)
    const tooWide = await sideScroll(page)
    if (tooWide > 0) faults.push(`${name} at ${width}: scrolls ${tooWide} px sideways`)
    if (!PANEL_WIDTHS.includes(width)) continue // a screenshot takes longest
    const path = join(SHOTS, `${name}-${width}.png`)
    const screenshot = await page.screenshot({ path, fullPage: name.startsWith('kit') })
    if (screenshot.length < BLANK_BYTES) faults.push(`${name} at ${width}: blank`)
  }
  await resize(page, WIDTHS.wide)
  return faults
}

export type Inspect = (name: string, widths?: readonly number[]) => Promise<void>

/** Collects what is wrong with a page as it stands, in each theme. */
export function createInspector(page: Page) {
  const faults: string[] = []
  const inspect: Inspect = async (name, widths = Object.values(WIDTHS)) => {
    for (const fault of await findForeign(page)) faults.push(`${name}: ${fault}`)
    for (const theme of THEMES) {
      await chooseTheme(page, theme)
      const shown = await page.evaluate(() => document.body.getAttribute('theme-mode') ?? 'light')
      if (shown !== theme) faults.push(`${name} (${theme}): shown in ${shown}`)
      faults.push(...(await findFaults(page, `${name}-${theme}`, widthsOf(theme, widths))))
      for (const fault of await findViolations(page, theme)) faults.push(`${name} (${theme}): ${fault}`)
    }
  }
  return { faults, inspect }
}

/**
 * A page within a flow, which goes on in light; without `full` an eighth of them is looked at, in turn. Of the widths that a
 * flow is walked at, the widest looks at it in each.
 */
export async function expectSound(page: Page, name: string): Promise<void> {
  if (!isStepInTurn(name) || page.viewportSize()?.width !== WIDTHS.wide) return
  await page.mouse.move(0, 0) // an element under the pointer is tinted
  await page.waitForFunction(() => document.querySelector('.nl-dimmed') === null) // rows of the previous search are dimmed
  const { faults, inspect } = createInspector(page)
  await inspect(name, PAGE_WIDTHS)
  await chooseTheme(page, 'light')
  expect(faults).toEqual([])
}
