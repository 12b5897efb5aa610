import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { viewerRequest } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { linkId, trunkOf } from '#domain/network/members/links.ts'
import { paths } from '#lib/paths.ts'
import { resize, startSession, useBrowserHarness, WIDTHS } from '../browser-harness.ts'
import { expectSound } from '../inspector.ts'
import { useRecordedOffice } from '../recorded-office.ts'

const { origin, visitor } = useBrowserHarness()
const openOffice = useRecordedOffice(origin)

/** Latest ids whose throughput the page asks for. */
function watchRequests(page: Page): () => readonly string[] {
  let ids: readonly string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const sent = viewerRequest.safeParse(JSON.parse(String(payload).startsWith('{') ? String(payload) : 'null'))
      if (sent.data?.type === 'rates') ids = sent.data.ids
    }),
  )
  return () => ids
}

const RATE = /^[↓↑] [\d.]+ [kMG]?bit\/s$/

it('a drawing has the throughput of its trunks and of the selected link, which is asked for while it is shown alone', async () => {
  const office = await openOffice()
  const { network_number, name } = office
  const page = await visitor()
  const asked = watchRequests(page)
  await startSession(page, origin, office.username)
  await page.goto(`${paths.network(network_number)}&view=table`)
  await page.getByRole('table', { name: '成员' }).getByText('路由C').waitFor()
  const hasTrunks = () => office.router('A').streams.some(({ trunks }) => trunks)
  expect(asked()).toEqual([])
  expect(hasTrunks()).toBe(false)

  const view = page.getByRole('group', { name: '展示方式' })
  await view.getByRole('button', { name: '拓扑图' }).click()
  await expect.poll(() => page.locator('.nl-trunk-rate').count()).toBe(4)
  for (const text of await page.locator('.nl-trunk-rate').allTextContents()) expect(text).toMatch(RATE)
  expect(hasTrunks()).toBe(true)
  expect(asked().map(trunkOf).toSorted()).toEqual([name('A'), name('B')])
  office.play('cut')
  await page.locator('[data-line]').first().waitFor({ state: 'attached' })
  await expectSound(page, 'throughput-drawing')

  office.play('well')
  await view.getByRole('button', { name: '隧道' }).click()
  await expect.poll(asked).toEqual([])
  await page.getByRole('table', { name: '链路' }).getByRole('button', { name: '路由D' }).first().click()
  const panel = page.getByRole('complementary')
  await expect.poll(() => panel.getByText(RATE).count()).toBe(2)
  expect(asked().every((id) => id.startsWith(`${network_number}:${name('D')}>`))).toBe(true)
  await expectSound(page, 'throughput-link')
  await panel.getByRole('button', { name: '关闭' }).click()
  await expect.poll(asked).toEqual([])
})

/** Number of visible labels that begin before the end of the one before. */
const overlapsOf = (labels: Locator): Promise<number> =>
  labels.filter({ visible: true }).evaluateAll((spans) => {
    const isOver = (span: Element, index: number) => {
      const before = spans[index - 1]
      const isNeighbour = before?.parentElement === span.parentElement
      return isNeighbour && span.getBoundingClientRect().left < before.getBoundingClientRect().right
    }
    return spans.filter(isOver).length
  })

const RANGES = [
  ['hour', '1 小时', 60],
  ['day', '24 小时', 288],
  ['month', '30 天', 360],
] as const

it('a link has its latency, loss, ups and downs over an hour, a day and 30 days, with gaps where nothing was measured', async () => {
  const office = await openOffice()
  const { network_number, name, call } = office
  const id = linkId(network_number, name('C'), name('A'))
  const page = await visitor()
  await startSession(page, origin, office.username)
  const readHistory = (range: 'hour' | 'day' | 'month') => call(networkApi.linkHistory, { network_number, id, range })
  const eventsOf = async () => (await readHistory('hour')).events.map(({ up }) => up)
  await expect.poll(eventsOf).toEqual([1])
  office.play('cut')
  await page.goto(`${paths.network(network_number)}&view=links`)
  const row = page
    .getByRole('table', { name: '链路' })
    .getByRole('row')
    .filter({ hasText: '路由C' })
    .filter({ hasText: '路由A' })
  await row.getByText('断开').waitFor()
  await row.getByRole('button', { name: '路由C' }).click() // while the panel is open the counters stream
  office.play('well')
  await row.getByText('连通').waitFor()
  const measured = async () => (await readHistory('hour')).points.filter(({ rtt_ms }) => rtt_ms !== null).length
  await expect.poll(measured).toBeGreaterThan(0)
  await expect.poll(eventsOf).toEqual([1, 0, 1])

  const panel = page.getByRole('complementary')
  await panel.getByRole('tab', { name: '历史' }).click()
  const times = panel.locator('.nl-chart-times').first()
  let before = ''
  for (const [range, label, steps] of RANGES) {
    await panel.getByRole('group', { name: '时间范围' }).getByRole('button', { name: label }).click()
    await expect.poll(() => times.textContent()).not.toBe(before)
    before = (await times.textContent()) ?? ''
    const events = panel.getByRole('list', { name: '通断记录' }).getByRole('listitem')
    await events.filter({ hasText: '断开' }).first().waitFor()
    expect(await events.filter({ hasText: '连通' }).count()).toBe(2)
    const segments = panel.locator('.nl-state-segment')
    expect(await segments.first().getAttribute('data-state')).toBe('unknown')
    const { points } = await readHistory(range)
    expect(points).toHaveLength(steps)
    expect(points[0]).toMatchObject({ rtt_ms: null, loss: null, up: null })
    await panel
      .getByText(/平均 [\d.]+/)
      .first()
      .waitFor()
    await resize(page, WIDTHS.narrow)
    await times.waitFor()
    expect(await overlapsOf(times.locator('span'))).toBe(0)
    await resize(page, WIDTHS.wide)
    await expectSound(page, `link-history-${range}`)
  }
})
