import { type Page, chromium } from 'playwright-core'
import { findChromium } from '#infra/local/chromium.ts'
import { inRoot } from '#infra/local/paths.ts'
import { openSampleNetwork, SAMPLE_CENTERS, type SampleNetwork } from '#infra/simulator/sample-network.ts'
import { refreshCookie } from './bundles.ts'
import { type Finding, median, print } from './report.ts'
import type { Stack } from './stack.ts'

/** Names in no order, as customers add them. One in fifty has lost its links. Each dials one of the POP nodes. */
const networkOf = (members: number): SampleNetwork => {
  const points = members - SAMPLE_CENTERS.length
  return {
    points,
    toLabel: (point) => `分支 ${(point * 1_237) % points}`,
    toLinkState: (point) => (point % 50 === 7 ? 'down' : 'up'),
    pops: POPS,
  }
}
const POPS = 3
const MEMBERS = 2_000
/** Of these only the first paint and the pan are measured. */
const SMALLER = [40, 200] as const
const NETWORK = networkOf(MEMBERS)
const OPENED = 8 // groups of 50
const ROUNDS = 3
const BUDGET = { paintMs: 500, framesPerSecond: 30 } as const
const PAN_STEPS = 90
const SETTLE_MS = 500
const CANVAS = '[role=application]'
/** What is painted last: groups, or the members themselves where none are grouped. */
const FIRST_NODE = { grouped: '.nl-node-collapsed', single: '.nl-node-online' } as const

/** Networks of up to 2,000 members in a real Chromium: the built console, against X6 as it comes drawing all of them. */
export async function benchTopology({ origin }: Stack): Promise<readonly Finding[]> {
  const executablePath = await findChromium().catch(() => null)
  if (executablePath === null) {
    process.stdout.write('\nTopology of 2,000 members: left out, there is no Chromium here (set CHROMIUM)\n')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const [ours, opened, plain] = [[] as Measured[], [] as number[], [] as Measured[]]
  const smaller = SMALLER.map((members) => ({ members, runs: [] as Omit<Measured, 'elements'>[] }))
  try {
    const refresh = await refreshCookie(origin)
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
      await context.addCookies([{ ...refresh(), url: `${origin}/api/v1/login` }])
      await context.addInitScript({ path: inRoot('infra/bench/peers/drawing.js') })
      const page = await context.newPage()
      const first = await openConsole(page)
      ours.push({ ...first, framesPerSecond: await pan(page, CANVAS) })
      await openGroups(page)
      opened.push(await pan(page, CANVAS))
      for (const { members, runs } of smaller) {
        const other = await context.newPage()
        const { paintMs } = await openConsole(other, networkOf(members), FIRST_NODE.single)
        runs.push({ paintMs, framesPerSecond: await pan(other, CANVAS) })
      }
      refresh.keep(await context.cookies(`${origin}/api/v1/login`))
      plain.push(await plainX6(await context.newPage()))
      await context.close()
    }
  } finally {
    await browser.close()
  }
  const paintMs = median(ours.map((one) => one.paintMs))
  const frames = median(ours.map((one) => one.framesPerSecond))
  const plainPaintMs = median(plain.map((one) => one.paintMs))
  const plainFrames = median(plain.map((one) => one.framesPerSecond))
  const findings: Finding[] = [
    { what: 'first useful paint', value: paintMs, unit: 'ms', budget: BUDGET.paintMs, must: 'stay below' },
    { what: 'plain X6, all nodes', value: plainPaintMs, unit: 'ms' },
    { what: 'ratio', value: plainPaintMs / paintMs, unit: 'times sooner' },
    { what: 'elements', value: median(ours.map((one) => one.elements)), unit: '' },
    { what: 'plain X6, elements', value: median(plain.map((one) => one.elements)), unit: '' },
    { what: 'pan, groups closed', value: frames, unit: 'frames/s', budget: BUDGET.framesPerSecond, must: 'reach' },
    {
      what: `pan, ${OPENED} groups open`,
      value: median(opened),
      unit: 'frames/s',
      budget: BUDGET.framesPerSecond,
      must: 'reach',
    },
    ...smaller.flatMap(({ members, runs }): Finding[] => [
      {
        what: `first useful paint, ${members} members`,
        value: median(runs.map((one) => one.paintMs)),
        unit: 'ms',
        budget: BUDGET.paintMs,
        must: 'stay below',
      },
      {
        what: `pan, ${members} members`,
        value: median(runs.map((one) => one.framesPerSecond)),
        unit: 'frames/s',
        budget: BUDGET.framesPerSecond,
        must: 'reach',
      },
    ]),
    { what: 'plain X6, pan', value: plainFrames, unit: 'frames/s' },
    { what: 'ratio', value: median(opened) / plainFrames, unit: 'times as many' },
  ]
  print('Topology of 2,000 members', findings)
  return findings
}

interface Measured {
  readonly paintMs: number
  readonly elements: number
  readonly framesPerSecond: number
}

/** Milliseconds from the rows' arrival to a frame that shows every column and the states of what is in sight; nothing may follow it. */
async function openConsole(
  page: Page,
  network = NETWORK,
  firstNode: string = FIRST_NODE.grouped,
): Promise<Pick<Measured, 'paintMs' | 'elements'>> {
  await page.addInitScript(`globalThis.firstNode = ${JSON.stringify(firstNode)}`)
  await page.addInitScript({ path: inRoot('infra/bench/peers/first-paint.js') })
  await openSampleNetwork(page, network)
  const first = await page.evaluate<Pick<Measured, 'paintMs' | 'elements'>>('measureFirstPaint()')
  await page.waitForTimeout(SETTLE_MS)
  const elements = await countElements(page, CANVAS)
  if (elements !== first.elements) throw new Error(`${first.elements} of ${elements} elements at the first paint`)
  return first
}

const countElements = (page: Page, selector: string): Promise<number> => page.locator(`${selector} *`).count()

/** Expands groups, the last first: those before it keep their places at the top. */
async function openGroups(page: Page): Promise<void> {
  for (let i = OPENED - 1; i >= 0; i--) {
    await page.locator(`[data-cell-id="group:${i}"]`).click()
    await page.locator(CANVAS).press('0')
  }
}

/** Frames a second while the pointer drags the drawing to and fro. */
async function pan(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not on the page`)
  const at = { x: box.x + box.width / 2, y: box.y + 12 } // above the nodes: drags the canvas, not a node
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.evaluate('bench.countFrames()')
  for (let i = 1; i <= PAN_STEPS; i++) await page.mouse.move(at.x - 300 * Math.sin(i / 12), at.y + 4 * i)
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  await page.mouse.up()
  return framesPerSecond
}

async function plainX6(page: Page): Promise<Measured> {
  await page.setContent('<div id="paper" style="width:1140px;height:520px"></div>')
  await page.addScriptTag({ path: inRoot('node_modules/@antv/x6/dist/x6.min.js') })
  const paintMs = await page.evaluate<number>(`bench.plainX6(${NETWORK.points}, ${JSON.stringify(SAMPLE_CENTERS)})`)
  return { paintMs, elements: await countElements(page, '#paper'), framesPerSecond: await pan(page, '#paper') }
}
