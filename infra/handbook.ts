import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type Page, chromium } from 'playwright-core'
import sharp from 'sharp'
import { refreshCookie } from './local/refresh-cookie.ts'
import { findChromium } from './local/chromium.ts'
import { HANDBOOK_FOLDER } from './local/handbook.ts'
import { type Area, MAIN, SHOTS, type Shot } from './local/handbook-shots.ts'
import { inData } from './local/paths.ts'

/**
 * `npm run handbook [-- names]`: makes the screenshots of infra/docs/handbook again from the demo that runs here (or at
 * NETLOOM_URL), in a Chromium of 1440 pixels and the light theme. The next start imports the result.
 */
const VIEWPORT = { width: 1440, height: 900 }
const MAX_BYTES = 120_000
const MARGIN_PX = 16
/** A palette of 256 colours more than halves a screenshot. */
const PALETTE = { palette: true, compressionLevel: 9, effort: 10, dither: 0 } as const

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !SHOTS.some((shot) => shot.name === name))
if (unknown !== undefined) stop(`No screenshot "${unknown}". Names: ${SHOTS.map(({ name }) => name).join(', ')}.`)
const origin = address()
const folder = join(HANDBOOK_FOLDER, 'images')
mkdirSync(folder, { recursive: true })

const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
let failures = 0
try {
  const cookie = await refreshCookie(origin)
  for (const shot of SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const page = await openPage(browser)
    if (!shot.isAnonymous) await page.context().addCookies([{ ...cookie(), url: `${origin}/api/v1/login` }])
    try {
      await take(page, shot)
    } catch (error) {
      failures++
      process.stdout.write(`${shot.name}: ${String(error)}\n`)
    }
    if (!shot.isAnonymous) cookie.keep(await page.context().cookies(`${origin}/api/v1/login`))
    await page.context().close()
  }
} finally {
  await browser.close()
}
process.exit(failures > 0 ? 1 : 0)

async function openPage(chrome: Browser): Promise<Page> {
  const context = await chrome.newContext({
    viewport: VIEWPORT,
    baseURL: origin,
    colorScheme: 'light',
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

async function take(page: Page, { name, open, area, height }: Shot): Promise<void> {
  if (height !== undefined) await page.setViewportSize({ ...VIEWPORT, height })
  await open(page)
  await page.evaluate('document.fonts.ready.then(() => null)')
  await page.evaluate('document.activeElement?.blur()')
  const clip = await toClip(page, area)
  const screenshot = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
  const bytes = await sharp(screenshot).png(PALETTE).toBuffer()
  if (bytes.length > MAX_BYTES) throw new Error(`${Math.round(bytes.length / 1000)} kB: show less of the page`)
  writeFileSync(join(folder, `${name}.png`), bytes)
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

function address(): string {
  if (process.env['NETLOOM_URL']) return process.env['NETLOOM_URL']
  const file = inData('running.json')
  if (!existsSync(file)) stop('Nothing runs here: start it with `npm start`, or set NETLOOM_URL.')
  return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url
}

function stop(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
