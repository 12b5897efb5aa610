import type { BrowserContext, Page } from 'playwright-core'
import { withConsoles } from '#infra/local/browser.ts'
import { inRoot } from '#infra/local/paths.ts'
import { openSampleNetwork, SAMPLE_CENTERS, type SampleNetwork } from '#infra/simulator/sample-network.ts'
import { type Finding, inRounds, print } from './report.ts'
import type { Stack } from './stack.ts'

/* Bench of the topology drawing: 2,000 members in Chromium, the console against X6 with default options. */

const MEMBERS = 2_000
const BUDGET = { paintMs: 500, framesPerSecond: 30, timesLessWork: 4 } as const
const PAN_STEPS = 90
const SETTLE_MS = 500
const CANVAS = '[role=application]'
const DENSITY_MAP = '.nl-map-hit' // painted after the nodes
const HEALTHY_BLOCK = '[data-cell-id="fold:ok"]'

const POINTS = MEMBERS - SAMPLE_CENTERS.length
/** Network with unsorted names, as customers add them. One point in fifty has lost its links. Each dials a POP node. */
const NETWORK: SampleNetwork = {
  points: POINTS,
  toLabel: (point) => `分支 ${(point * 1_237) % POINTS}`,
  toLinkState: (point) => (point % 50 === 7 ? 'down' : 'up'),
  pops: 3,
}

export async function benchTopology({ origin }: Stack): Promise<readonly Finding[]> {
  const findings = await withConsoles(origin, ({ signedIn }) => inRounds(() => signedIn(measureRound)))
  return print(`Topology of ${MEMBERS} members`, findings)
}

async function measureRound(context: BrowserContext): Promise<readonly Finding[]> {
  await context.addInitScript({ path: inRoot('infra/bench/page-probes.js') })
  const page = await context.newPage()
  const ours = await openConsole(page)
  const closed = await pan(page, CANVAS)
  await page.locator(HEALTHY_BLOCK).click()
  await page.locator(CANVAS).press('0')
  const opened = await pan(page, CANVAS)
  const plain = await openPlainX6(await context.newPage())
  return [
    { what: 'first useful paint', value: ours.paintMs, unit: 'ms', budget: BUDGET.paintMs, must: 'stay below' },
    { what: 'plain X6, all nodes', value: plain.paintMs, unit: 'ms' },
    { what: 'ratio of paints', value: plain.paintMs / ours.paintMs, unit: 'times sooner' },
    { what: 'elements', value: ours.elements, unit: '' },
    { what: 'plain X6, elements', value: plain.elements, unit: '' },
    toPan('pan, density map', closed.framesPerSecond),
    toPan('pan, healthy points open', opened.framesPerSecond),
    { what: 'plain X6, pan', value: plain.pan.framesPerSecond, unit: 'frames/s' },
    { what: 'ratio of pans', value: opened.framesPerSecond / plain.pan.framesPerSecond, unit: 'times as many' },
    { what: 'script of a frame, density map', value: closed.scriptMs, unit: 'ms' },
    { what: 'plain X6, script of a frame', value: plain.pan.scriptMs, unit: 'ms' },
    { what: 'main thread of a frame, density map', value: closed.workMs, unit: 'ms' },
    { what: 'plain X6, main thread of a frame', value: plain.pan.workMs, unit: 'ms' },
    {
      what: 'ratio of work',
      value: plain.pan.workMs / closed.workMs,
      unit: 'times less',
      budget: BUDGET.timesLessWork,
      must: 'reach',
    },
  ]
}

const toPan = (what: string, value: number): Finding => {
  return { what, value, unit: 'frames/s', budget: BUDGET.framesPerSecond, must: 'reach' }
}

/** Milliseconds from the arrival of the rows to the frame with every node and the density map, the last change. */
async function openConsole(page: Page) {
  await page.addInitScript(`globalThis.firstNode = ${JSON.stringify(DENSITY_MAP)}`)
  await openSampleNetwork(page, NETWORK)
  const first = await page.evaluate<{ paintMs: number; elements: number }>('bench.measureFirstPaint()')
  await page.waitForTimeout(SETTLE_MS)
  const elements = await page.locator(`${CANVAS} *`).count()
  if (elements !== first.elements) throw new Error(`${first.elements} of ${elements} elements at the first paint`)
  return first
}

/**
 * Frames a second, and milliseconds a frame, while the pointer drags the drawing to and fro. `workMs` is all of the main
 * thread: script, style, layout and paint. Script alone compares nothing, because X6 moves one element; its cost is painting.
 */
async function pan(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not on the page`)
  const at = { x: box.x + box.width / 2, y: box.y + 12 } // above the nodes: drags the canvas, not a node
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const busySeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const secondsOf = (metric: string) => metrics.find(({ name }) => name === metric)?.value ?? 0
    return { script: secondsOf('ScriptDuration'), work: secondsOf('TaskDuration') }
  }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  const before = await busySeconds()
  await page.evaluate('bench.countFrames()')
  for (let i = 1; i <= PAN_STEPS; i++) await page.mouse.move(at.x - 300 * Math.sin(i / 12), at.y + 4 * i)
  const frames = await page.evaluate<number>('bench.frames.length')
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  const after = await busySeconds()
  await page.mouse.up()
  await devtools.detach()
  const perFrame = (seconds: number) => (seconds * 1_000) / frames
  return {
    framesPerSecond,
    scriptMs: perFrame(after.script - before.script),
    workMs: perFrame(after.work - before.work),
  }
}

async function openPlainX6(page: Page) {
  await page.setContent('<div id="paper" style="width:1140px;height:520px"></div>')
  await page.addScriptTag({ path: inRoot('node_modules/@antv/x6/dist/x6.min.js') })
  const paintMs = await page.evaluate<number>(`bench.plainX6(${POINTS}, ${JSON.stringify(SAMPLE_CENTERS)})`)
  return { paintMs, elements: await page.locator('#paper *').count(), pan: await pan(page, '#paper') }
}
