import { type CDPSession, type Page, chromium } from 'playwright-core'
import { findChromium } from '#infra/local/chromium.ts'
import { refreshCookie } from './bundles.ts'
import { type Finding, print } from './report.ts'
import { INTERFACES, flood, openRouter, scrollToCharts } from './router-page.ts'
import type { Stack } from './stack.ts'

const SECONDS = 20
const DAY_FRAMES = 86_400
const BUDGET = { mainThreadPercent: 2, grownKb: 1_024 } as const
/** What a person sees, and for comparison all charts at once, which Chromium paints on the main thread where it has no GPU. */
const VIEWS = [
  { what: 'in a window of 1440 × 900', height: 900, budget: BUDGET.mainThreadPercent },
  { what: 'all in sight, without a GPU', height: 9_600 },
] as const

/** A router with 16 open charts in a real Chromium: one frame a second, then the frames of a day. */
export async function benchCharts({ origin }: Stack): Promise<readonly Finding[]> {
  const executablePath = await findChromium().catch(() => null)
  if (executablePath === null) {
    process.stdout.write('\n16 live charts: left out, there is no Chromium here (set CHROMIUM)\n')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const findings: Finding[] = []
  try {
    const refresh = await refreshCookie(origin)
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ ...refresh(), url: `${origin}/api/v1/login` }])
    const page = await openRouter(await context.newPage())
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' }) // not the time that other processes take
    await scrollToCharts(page)
    await flood(page, 60)
    for (const { what, height, ...budget } of VIEWS) {
      await page.setViewportSize({ width: 1440, height })
      await scrollToCharts(page)
      const value = await mainThreadPercent(page, devtools)
      findings.push({ what, value, unit: '% of the thread', ...budget, must: 'stay below' })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await scrollToCharts(page)
    findings.push(...(await dayOfFrames(page, devtools)))
  } finally {
    await browser.close()
  }
  print(`${INTERFACES.length} live charts at 1 Hz`, findings)
  return findings
}

/** Share of the main thread's time that the whole page takes while a frame a second comes. */
async function mainThreadPercent(page: Page, devtools: CDPSession): Promise<number> {
  const timer = await page.evaluate<number>(`bench.start(${JSON.stringify(INTERFACES)})`)
  await page.waitForTimeout(3_000)
  const before = await metrics(devtools)
  await page.waitForTimeout(SECONDS * 1_000)
  const after = await metrics(devtools)
  await page.evaluate(`clearInterval(${timer})`)
  return (100 * (after.TaskDuration - before.TaskDuration)) / (after.Timestamp - before.Timestamp)
}

async function dayOfFrames(page: Page, devtools: CDPSession): Promise<readonly Finding[]> {
  await flood(page, 3_600) // what is compiled and cached comes with the first hour
  const before = await rest(devtools)
  await flood(page, DAY_FRAMES)
  const after = await rest(devtools)
  return [
    {
      what: 'memory after 24 h of frames',
      value: (after.JSHeapUsedSize - before.JSHeapUsedSize) / 1024,
      unit: 'KiB more',
      budget: BUDGET.grownKb,
      must: 'stay below',
      note: `of ${(after.JSHeapUsedSize / 2 ** 20).toFixed(1)} MiB; ${after.Nodes - before.Nodes} nodes more`,
    },
  ]
}

/** Figures without garbage. */
async function rest(devtools: CDPSession) {
  for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage')
  return metrics(devtools)
}

type Metric = 'TaskDuration' | 'Timestamp' | 'JSHeapUsedSize' | 'Nodes'

async function metrics(devtools: CDPSession): Promise<Readonly<Record<Metric, number>>> {
  const { metrics: list } = await devtools.send('Performance.getMetrics')
  return Object.fromEntries(list.map(({ name, value }) => [name, value])) as Record<Metric, number>
}
