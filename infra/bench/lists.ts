import { type Page, chromium } from 'playwright-core'
import { findChromium } from '#infra/local/chromium.ts'
import { inRoot } from '#infra/local/paths.ts'
import { type Finding, median, print } from './report.ts'
import type { Stack } from './stack.ts'

const ROWS = 200
const ROUNDS = 3
const STEPS = 60
const STEP_PX = 180
const BUDGET = { longTasks: 0 } as const
const BOX = '.nl-table-scroll'

/** A list of 200 rows in a real Chromium, scrolled to its end and back: tasks of the main thread over 50 ms. */
export async function benchLists({ origin }: Stack): Promise<readonly Finding[]> {
  const executablePath = await findChromium().catch(() => null)
  if (executablePath === null) {
    process.stdout.write('\nScrolling of 200 rows: left out, there is no Chromium here (set CHROMIUM)\n')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const [rounds, plain] = [[] as Measured[], [] as Measured[]]
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
      await context.addInitScript({ path: inRoot('infra/bench/peers/drawing.js') })
      rounds.push(await scrollOurs(await context.newPage()))
      plain.push(await scrollPlain(await context.newPage()))
      await context.close()
    }
  } finally {
    await browser.close()
  }
  const findings: Finding[] = [
    {
      what: 'long tasks while scrolling',
      value: median(rounds.map((one) => one.longTasks)),
      unit: 'tasks',
      budget: BUDGET.longTasks,
      must: 'stay below',
    },
    { what: 'frames', value: median(rounds.map((one) => one.framesPerSecond)), unit: 'frames/s' },
    { what: 'plain table, long tasks', value: median(plain.map((one) => one.longTasks)), unit: 'tasks' },
    { what: 'plain table, frames', value: median(plain.map((one) => one.framesPerSecond)), unit: 'frames/s' },
  ]
  print('Scrolling of 200 rows', findings)
  return findings
}

interface Measured {
  readonly longTasks: number
  readonly framesPerSecond: number
}

async function scrollOurs(page: Page): Promise<Measured> {
  await page.goto(`/__local/kit?pattern=list&rows=${ROWS}`)
  await page
    .locator(`${BOX} tbody tr`)
    .nth(ROWS - 1)
    .waitFor({ state: 'attached' })
  return scroll(page, BOX)
}

/** The same number of rows without script and style: what the machine itself takes. */
async function scrollPlain(page: Page): Promise<Measured> {
  const row = `<tr>${'<td>上海总部 NR20260001</td>'.repeat(6)}</tr>`
  await page.setContent(`<div id="box" style="height:600px;overflow:auto"><table>${row.repeat(ROWS)}</table></div>`)
  return scroll(page, '#box')
}

async function scroll(page: Page, box: string): Promise<Measured> {
  await page.locator(box).hover()
  await page.evaluate('bench.drawn()')
  await page.evaluate('bench.countLongTasks()')
  await page.evaluate('bench.countFrames()')
  for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, step < STEPS / 2 ? STEP_PX : -STEP_PX)
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  return { longTasks: await page.evaluate<number>('bench.longTasks()'), framesPerSecond }
}
