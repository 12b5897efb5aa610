import type { Page } from 'playwright-core'
import { withConsoles } from '#infra/local/browser.ts'
import { inRoot } from '#infra/local/paths.ts'
import { type Finding, inRounds, print } from './report.ts'
import type { Stack } from './stack.ts'

const ROWS = 200
const STEPS = 60
const STEP_PX = 180
const BUDGET = 0
const BOX = '.nl-table-scroll'

/** Bench of scrolling: a list of 200 rows in Chromium, to its end and back; tasks of the main thread over 50 ms. */
export async function benchLists({ origin }: Stack): Promise<readonly Finding[]> {
  const findings = await withConsoles(origin, ({ anonymous }) =>
    inRounds(() =>
      anonymous(async (context) => {
        await context.addInitScript({ path: inRoot('infra/bench/page-probes.js') })
        const ours = await scrollList(await context.newPage())
        const plain = await scrollPlainTable(await context.newPage())
        const { longTasks } = ours
        return [
          { what: 'long tasks while scrolling', value: longTasks, unit: 'tasks', budget: BUDGET, must: 'stay below' },
          { what: 'frames', value: ours.framesPerSecond, unit: 'frames/s' },
          { what: 'plain table, long tasks', value: plain.longTasks, unit: 'tasks' },
          { what: 'plain table, frames', value: plain.framesPerSecond, unit: 'frames/s' },
        ]
      }),
    ),
  )
  return print(`Scrolling of ${ROWS} rows`, findings)
}

async function scrollList(page: Page) {
  await page.goto(`/__local/kit?pattern=list&rows=${ROWS}`)
  await page
    .locator(`${BOX} tbody tr`)
    .nth(ROWS - 1)
    .waitFor({ state: 'attached' })
  return scroll(page, BOX)
}

/** Scrolls as many rows without script and style: the machine's own part. */
async function scrollPlainTable(page: Page) {
  const row = `<tr>${'<td>上海总部 NR20260001</td>'.repeat(6)}</tr>`
  await page.setContent(`<div id="box" style="height:600px;overflow:auto"><table>${row.repeat(ROWS)}</table></div>`)
  return scroll(page, '#box')
}

async function scroll(page: Page, box: string) {
  await page.locator(box).hover()
  await page.evaluate('bench.drawn()')
  await page.evaluate('bench.countLongTasks()')
  await page.evaluate('bench.countFrames()')
  for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, step < STEPS / 2 ? STEP_PX : -STEP_PX)
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  return { framesPerSecond, longTasks: await page.evaluate<number>('bench.longTasks()') }
}
