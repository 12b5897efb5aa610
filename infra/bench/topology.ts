import type { BrowserContext, Page } from 'playwright-core'
import { inRoot } from '#infra/local/paths.ts'
import { openSampleNetwork, SAMPLE_CENTERS, type SampleNetwork } from '#infra/simulator/sample-network.ts'
import { withConsoles } from './browser.ts'
import { type Finding, inRounds, print } from './report.ts'
import type { Stack } from './stack.ts'

const MEMBERS = 2_000
/** Of these only the first paint and the pan are measured. */
const SMALLER = [40, 200] as const
const OPENED = 8 // groups of 50
const BUDGET = { paintMs: 500, framesPerSecond: 30 } as const
const PAN_STEPS = 90
const SETTLE_MS = 500
const CANVAS = '[role=application]'
/** The nodes that are painted last: groups, or the members themselves where none are grouped. */
const FIRST_NODE = { grouped: '.nl-node-collapsed', single: '.nl-node-online' } as const

/** Names in no order, as customers add them. One in fifty has lost its links. Each dials one of the POP nodes. */
const toNetwork = (members: number): SampleNetwork => {
  const points = members - SAMPLE_CENTERS.length
  return {
    points,
    toLabel: (point) => `分支 ${(point * 1_237) % points}`,
    toLinkState: (point) => (point % 50 === 7 ? 'down' : 'up'),
    pops: 3,
  }
}

/** Networks of up to 2,000 members in Chromium: the built console, against X6 with default options drawing all of them. */
export async function benchTopology({ origin }: Stack): Promise<readonly Finding[]> {
  const findings = await withConsoles(origin, ({ signedIn }) => inRounds(() => signedIn(measureRound)))
  print(`Topology of ${MEMBERS} members`, findings)
  return findings
}

async function measureRound(context: BrowserContext): Promise<readonly Finding[]> {
  const page = await context.newPage()
  const ours = await openConsole(page, MEMBERS, FIRST_NODE.grouped)
  const closed = await pan(page, CANVAS)
  await openGroups(page)
  const opened = await pan(page, CANVAS)
  const smaller: Finding[] = []
  for (const members of SMALLER) {
    const other = await context.newPage()
    const { paintMs } = await openConsole(other, members, FIRST_NODE.single)
    smaller.push(
      toPaint(`first useful paint, ${members} members`, paintMs),
      toPan(`pan, ${members} members`, await pan(other, CANVAS)),
    )
  }
  const plain = await openPlainX6(await context.newPage())
  return [
    toPaint('first useful paint', ours.paintMs),
    { what: 'plain X6, all nodes', value: plain.paintMs, unit: 'ms' },
    { what: 'ratio of paints', value: plain.paintMs / ours.paintMs, unit: 'times sooner' },
    { what: 'elements', value: ours.elements, unit: '' },
    { what: 'plain X6, elements', value: plain.elements, unit: '' },
    toPan('pan, groups closed', closed),
    toPan(`pan, ${OPENED} groups open`, opened),
    ...smaller,
    { what: 'plain X6, pan', value: plain.framesPerSecond, unit: 'frames/s' },
    { what: 'ratio of pans', value: opened / plain.framesPerSecond, unit: 'times as many' },
  ]
}

const toPaint = (what: string, value: number): Finding => {
  return { what, value, unit: 'ms', budget: BUDGET.paintMs, must: 'stay below' }
}
const toPan = (what: string, value: number): Finding => {
  return { what, value, unit: 'frames/s', budget: BUDGET.framesPerSecond, must: 'reach' }
}

/** Milliseconds from the rows' arrival to a frame that shows every column and the states of what is in sight; nothing may follow it. */
async function openConsole(page: Page, members: number, firstNode: string) {
  await page.addInitScript(`globalThis.firstNode = ${JSON.stringify(firstNode)}`)
  await openSampleNetwork(page, toNetwork(members))
  const first = await page.evaluate<{ paintMs: number; elements: number }>('bench.measureFirstPaint()')
  await page.waitForTimeout(SETTLE_MS)
  const elements = await page.locator(`${CANVAS} *`).count()
  if (elements !== first.elements) throw new Error(`${first.elements} of ${elements} elements at the first paint`)
  return first
}

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

async function openPlainX6(page: Page) {
  await page.setContent('<div id="paper" style="width:1140px;height:520px"></div>')
  await page.addScriptTag({ path: inRoot('node_modules/@antv/x6/dist/x6.min.js') })
  const { points } = toNetwork(MEMBERS)
  const paintMs = await page.evaluate<number>(`bench.plainX6(${points}, ${JSON.stringify(SAMPLE_CENTERS)})`)
  return { paintMs, elements: await page.locator('#paper *').count(), framesPerSecond: await pan(page, '#paper') }
}
