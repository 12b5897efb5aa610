import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { VIEWPORT, withConsoles } from './local/browser.ts'
import { HANDBOOK_FOLDER } from './local/handbook.ts'
import { type Area, MAIN, SHOTS, type Shot } from './local/handbook-shots.ts'
import { stop } from './local/processes.ts'
import { runningUrl } from './local/run-lock.ts'

/**
 * `npm run handbook [-- names]`: makes the screenshots of infra/docs/handbook again from the demo that runs here (or at
 * NETLOOM_URL), in a Chromium of 1440 pixels and the light theme. The next start imports the result.
 */
const MAX_BYTES = 120_000
const MARGIN_PX = 16
/** A palette of 256 colours more than halves a screenshot. */
const PALETTE = { palette: true, compressionLevel: 9, effort: 10, dither: 0 } as const

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !SHOTS.some((shot) => shot.name === name))
if (unknown !== undefined) stop(`No screenshot "${unknown}". Names: ${SHOTS.map(({ name }) => name).join(', ')}.`)
const folder = join(HANDBOOK_FOLDER, 'images')

let failures = 0
await withConsoles(
  runningUrl(),
  async (consoles) => {
    for (const shot of SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const use = shot.isAnonymous ? consoles.anonymous : consoles.signedIn
      await use(async (context) => take(await context.newPage(), shot)).catch((error: unknown) => {
        failures++
        process.stdout.write(`${shot.name}: ${String(error)}\n`)
      })
    }
  },
  { colorScheme: 'light', locale: 'zh-CN', timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' },
)
process.exit(failures > 0 ? 1 : 0)

async function take(page: Page, { name, open, area, height }: Shot): Promise<void> {
  if (height !== undefined) await page.setViewportSize({ ...VIEWPORT, height })
  await open(page)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await page.evaluate('document.activeElement?.blur()')
  const clip = await toClip(page, area)
  const screenshot = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
  const bytes = await sharp(screenshot).png(PALETTE).toBuffer()
  if (bytes.length > MAX_BYTES) throw new Error(`${Math.round(bytes.length / 1000)} kB: show less of the page`)
  const file = join(folder, `${name}.png`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  process.stdout.write(`${name} ${Math.round(bytes.length / 1000)} kB\n`)
}

/** Part of the window around an element, or a fixed part. */
async function toClip(page: Page, area: Area | undefined) {
  const { width, height } = page.viewportSize() ?? VIEWPORT
  if (area === undefined) return { x: 0, y: 0, width, height }
  if (typeof area !== 'string') return area
  const box = await page.locator(area).last().boundingBox()
  if (box === null) throw new Error(`${area} is not shown`)
  const margin = area === MAIN ? 0 : MARGIN_PX
  const [x, y] = [Math.max(0, Math.floor(box.x - margin)), Math.max(0, Math.floor(box.y - margin))]
  return {
    x,
    y,
    width: Math.min(width, Math.ceil(box.x + box.width + margin)) - x,
    height: Math.min(height, Math.ceil(box.y + box.height + margin)) - y,
  }
}
