import { type Page, chromium } from 'playwright-core'
import { findChromium } from '../local/chromium.ts'
import { inRoot } from '../local/paths.ts'
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
  const rounds: Measured[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
      await context.addInitScript({ path: inRoot('infra/bench/peers/drawing.js') })
      rounds.push(await scroll(await context.newPage()))
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
  ]
  print('Scrolling of 200 rows', findings)
  return findings
}

interface Measured {
  readonly longTasks: number
  readonly framesPerSecond: number
}

async function scroll(page: Page): Promise<Measured> {
  await page.goto(`/__local/kit?pattern=list&rows=${ROWS}`)
  await page.waitForFunction(`document.querySelectorAll('${BOX} tbody tr').length === ${ROWS}`)
  await page.locator(BOX).hover()
  await page.evaluate('bench.drawn()')
  await page.evaluate('bench.countLongTasks()')
  await page.evaluate('bench.countFrames()')
  for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, step < STEPS / 2 ? STEP_PX : -STEP_PX)
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  return { longTasks: await page.evaluate<number>('bench.longTasks()'), framesPerSecond }
}
