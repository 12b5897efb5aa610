import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openSampleNetwork, sampleAddress, SAMPLE_CENTERS } from '#infra/simulator/sample-network.ts'
import { resize, startSession, useBrowserHarness, WIDTHS } from './browser-harness.ts'

const { origin, visitor } = useBrowserHarness()

/** Points that lost one of their two ways. */
const SINGLE = [4, 17, 33]
const ELEMENTS_MAX = 900
const LONG = 'HQ-Backbone-Router-East'
const toLabel = (point: number) => (point % 8 === 2 ? `${LONG}-${point}` : `门店 ${point}`)

/** Whole, or cut in the middle. */
const isNameOf = (title: string, name: string): boolean => {
  const [start = '', end] = title.split('…')
  return end === undefined ? title === name : name !== title && name.startsWith(start) && name.endsWith(end)
}

interface NetworkSize {
  readonly points: number
  /** Of the last points: routers that never came. */
  readonly never?: number
  readonly single?: readonly number[]
}

async function openNetwork(page: Page, { points, never = 0, single = [] }: NetworkSize): Promise<void> {
  const isNever = (point: number) => point >= points - never
  await startSession(page, origin, 'demo01')
  await openSampleNetwork(page, {
    points,
    toLabel,
    toPresence: (point) => (isNever(point) ? 'never' : 'online'),
    toLinkState: (point, center) => (isNever(point) ? 'never' : center === 1 && single.includes(point) ? 'down' : 'up'),
  })
}

interface Text {
  readonly text: string
  readonly px: number
  readonly isInside: boolean
  readonly isInNode: boolean
}

/** Texts of the nodes as they are on the screen. */
const readTexts = (page: Page): Promise<readonly Text[]> =>
  page.locator('.x6-node .nl-node-title, .x6-node .nl-node-sub').evaluateAll((texts) => {
    const stage = document.querySelector('[role=application]')!.getBoundingClientRect()
    return texts.map((text) => {
      const [box, node] = [
        text.getBoundingClientRect(),
        text.parentElement!.querySelector('.nl-node')!.getBoundingClientRect(),
      ]
      const scale = box.height / (text as SVGGraphicsElement).getBBox().height
      return {
        text: text.textContent,
        px: Math.round(Number.parseFloat(getComputedStyle(text).fontSize) * scale * 10) / 10,
        isInside:
          box.left >= stage.left && box.right <= stage.right && box.top >= stage.top && box.bottom <= stage.bottom,
        isInNode: box.left >= node.left && box.right <= node.right,
      }
    })
  })

it('shows 38 points at 1440 × 900 with names and whole addresses of at least 12 px, and who lost its second way', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 38, single: SINGLE })
  await expect.poll(() => page.locator('.x6-node .nl-node-title').count()).toBe(38 + SAMPLE_CENTERS.length)
  const texts = await readTexts(page)
  expect(texts.filter(({ px, isInside, isInNode }) => px < 12 || !isInside || !isInNode)).toEqual([])
  const shown = texts.map(({ text }) => text).join('\n')
  for (let i = 0; i < 38; i++) expect(shown).toContain(sampleAddress(i, 0))
  const titles = texts.map(({ text }) => text.replaceAll('\u00a0', ' '))
  for (let i = 0; i < 38; i++) expect(titles.filter((title) => isNameOf(title, toLabel(i)))).toHaveLength(1)

  const ringed = page.locator('.x6-node').filter({ has: page.locator('.nl-node-single') })
  const names = await ringed.locator('.nl-node-title').allTextContents()
  expect(names.map((name) => name.replaceAll('\u00a0', ' ')).toSorted()).toEqual(['门店 17', '门店 33', '门店 4'])
  expect(await page.locator('[data-line]').count()).toBe(SINGLE.length)
  expect(await page.locator('.nl-trunk-label').allTextContents()).toEqual(['38/38', '35/38'])
})

it('an absent centre is filled, with its trunk; its points have no ring', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await openSampleNetwork(page, {
    points: 38,
    toCenterPresence: (center) => (center === 1 ? 'offline' : 'online'),
    toLinkState: (_, center) => (center === 1 ? 'unknown' : 'up'),
  })
  await page.locator('.nl-node-cause').first().waitFor({ state: 'attached' })
  expect(await page.locator('.nl-node-cause').count()).toBe(1)
  expect(await page.locator('.nl-trunk.nl-edge-cause').count()).toBe(1)
  expect(await page.locator('.nl-node-single').count()).toBe(0)
  expect(await page.locator('[data-line]').count()).toBe(0)
})

it('shows nothing red while 90 of 100 routers have never come', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 100, never: 90 })
  await page.locator('.nl-trunk').first().waitFor({ state: 'attached' })
  const coloursOf = () =>
    page.locator('[role=application] path').evaluateAll((paths) => {
      const bad = document.createElement('i')
      bad.style.color = 'var(--nl-bad)'
      document.body.append(bad)
      const red = getComputedStyle(bad).color
      bad.remove()
      return paths
        .map((path) => [path, getComputedStyle(path)] as const)
        .filter(([path, { fill, stroke }]) => path.getAttribute('d') && (fill === red || stroke === red)).length
    })
  expect(await coloursOf()).toBe(0)
  expect(await page.locator('.nl-trunk-label').allTextContents()).toEqual(['10/10', '10/10'])
})

it('is reached by keyboard: arrows move, Enter opens, a screen reader reads the node', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 2 })
  const drawing = page.getByRole('application')
  await page.locator('.nl-trunk').first().waitFor({ state: 'attached' })
  await drawing.focus()
  await page.keyboard.press('ArrowDown')
  const announced = drawing.getByRole('status').filter({ hasText: '在线' })
  await expect.poll(() => announced.textContent()).toMatch(/^中心 0，中心点，在线/)
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => announced.textContent())
    .toBe('门店 0，普通点，在线，中心 0 连通 100.100.128.100，中心 1 连通 100.101.128.100')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: toLabel(0) }).waitFor()
})

it('draws 2,000 members with few elements, and pans them without drawing them again', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 1_998, single: SINGLE })
  await page.locator('.nl-node-collapsed').first().waitFor({ state: 'attached' })
  const drawing = page.getByRole('application')
  expect(await drawing.locator('*').count()).toBeLessThan(ELEMENTS_MAX)
  expect(await page.locator('[data-line]').count()).toBe(0)

  const map = (await page.locator('.nl-map-hit').boundingBox())!
  const stage = (await drawing.boundingBox())!
  expect(map.y + map.height).toBeLessThanOrEqual(stage.y + stage.height)
  const center = page.locator('[data-cell-id="C0"]')
  const before = await center.boundingBox()
  await page.mouse.move(map.x + 7 * 12 + 6, map.y + 6)
  await drawing.getByText(toLabel(58), { exact: true }).waitFor() // the eighth by name
  await page.mouse.click(map.x + 7 * 12 + 6, map.y + 6)
  await page.getByRole('complementary', { name: toLabel(58) }).waitFor()
  expect(await page.locator('.nl-map-mark').count()).toBe(1)
  expect(await center.boundingBox()).toEqual(before)
  await page.keyboard.press('Escape')

  const layer = () => page.locator('.x6-graph-svg-viewport').evaluate((g) => getComputedStyle(g).willChange)
  const box = (await drawing.boundingBox())!
  await page.mouse.move(box.x + 20, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y - 60)
  await page.mouse.up()
  expect(await layer()).toBe('transform')
  await page.getByRole('button', { name: '放大' }).click()
  expect(await layer()).toBe('auto') // sharp at the new scale
})

it('no zoom makes its texts smaller than 12 px', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 1_998, single: SINGLE })
  const scale = page.getByRole('status', { name: '缩放比例' })
  await page.locator('.nl-node-collapsed').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: '放大' }).click()
  const zoomOut = page.getByRole('button', { name: '缩小' })
  expect(await zoomOut.isDisabled()).toBe(false)
  const box = (await page.getByRole('application').boundingBox())!
  await page.mouse.move(box.x + 200, box.y + 200)
  await page.keyboard.down('Control')
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, 400)
  await page.keyboard.up('Control')
  await expect.poll(() => scale.textContent()).toBe('100%')
  expect(await zoomOut.isDisabled()).toBe(true)
  expect((await readTexts(page)).filter(({ px }) => px < 12)).toEqual([])
})

it('names a line under the pointer, and opens its link', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 38, single: SINGLE })
  const line = page.locator('[data-line]').last() // above the others, which leave the centre with it
  await line.waitFor({ state: 'attached' })
  const at = await line.locator('.nl-edge').evaluate((path: SVGPathElement) => {
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM()!)
    return { x, y }
  })
  await page.mouse.move(at.x, at.y)
  await page.getByText('断开 · 探测无应答').waitFor()
  await expect.poll(() => line.locator('.nl-edge').getAttribute('class')).toContain('nl-edge-focused')
  await page.mouse.click(at.x, at.y)
  await page.getByRole('complementary').getByText('探测无应答').waitFor()
})

it('is a grid of ports on a phone, without a canvas and without its chunk', async () => {
  const page = await visitor({ width: WIDTHS.phone })
  await resize(page, WIDTHS.phone)
  const chunks: string[] = []
  page.on('request', (request) => void chunks.push(new URL(request.url()).pathname))
  await openNetwork(page, { points: 10, single: [4] })
  await page
    .getByRole('region', { name: '普通点 10' })
    .getByRole('button', { name: /门店 4.*单中心/ })
    .waitFor()
  expect(chunks.filter((path) => /\/(x6|drawing)/i.test(path))).toEqual([])
  expect(await page.getByRole('application').count()).toBe(0)
})

it.each([WIDTHS.phone, 620])('at %i px the grid of a phone is as high as its rows', async (width) => {
  const page = await visitor({ width })
  await openNetwork(page, { points: 38 })
  const last = page.getByRole('region', { name: '普通点 38' }).getByRole('button').last()
  await last.waitFor()
  const [row, panel] = await last.evaluate((button) => {
    const panel = [...document.querySelectorAll('.nl-panel')].find((one) => one.contains(button))!
    return [button.getBoundingClientRect().bottom, panel.getBoundingClientRect().bottom]
  })
  expect(row!).toBeLessThan(panel!)
})

it('at 992 px the panel stands beside the drawing, which stays in use', async () => {
  const page = await visitor({ width: WIDTHS.narrow })
  await openNetwork(page, { points: 10 })
  const node = (label: string) => page.locator('.x6-node').filter({ hasText: label })
  await node(toLabel(0)).click()
  const panel = page.getByRole('complementary', { name: toLabel(0) })
  await panel.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  const [drawing, beside] = [(await page.getByRole('application').boundingBox())!, (await panel.boundingBox())!]
  expect(beside.x).toBeGreaterThanOrEqual(drawing.x + drawing.width)
  await page.locator('[data-cell-id="P2"]').click() // its neighbour, in the part beside the panel
  await page.getByRole('complementary', { name: toLabel(2) }).waitFor()
})

it('stands in one frame; a panel beside it moves no node, and a node that it would hide is scrolled into sight', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 38 })
  const node = (id: string) => page.locator(`[data-cell-id="${id}"]`)
  const drawing = page.getByRole('application')
  await node('C0').waitFor()
  expect(await page.locator('.nl-panel [role=application]').count()).toBe(0)

  const width = async () => (await drawing.boundingBox())!.width
  const placesOf = (...ids: string[]) => Promise.all(ids.map(async (id) => (await node(id).boundingBox())!.x))
  const alone = await width()
  const before = await placesOf('C0', 'P0', 'P1')
  await node('P0').click()
  await page.getByRole('complementary', { name: toLabel(0) }).waitFor()
  await expect.poll(width).toBeLessThan(alone)
  expect(await placesOf('C0', 'P0', 'P1')).toEqual(before)

  await page.keyboard.press('Escape')
  await expect.poll(width).toBe(alone)
  await node('P4').click() // the last column
  await page.getByRole('complementary', { name: toLabel(4) }).waitFor()
  const isInSight = async () => {
    const [stage, box] = [(await drawing.boundingBox())!, (await node('P4').boundingBox())!]
    return stage.width < alone && box.x >= stage.x && box.x + box.width <= stage.x + stage.width
  }
  await expect.poll(isInSight).toBe(true)
})
