import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { field, openFromMenu, startSession, useBrowserHarness } from '../browser-harness.ts'
import { FLOW_WIDTHS, expectSound } from '../inspector.ts'
import { watchMarkup } from '../markup-watch.ts'

const { origin, visitor } = useBrowserHarness()

const MARKUP = '<b onclick=xss()>备注</b>'
/** Of the demo: shared edition, in the pool, at most 150 Mbs because of that. */
const DEVICE = '/saas/detail?router_name=NL22P004'

async function openAs(path: string, options?: Parameters<typeof visitor>[0]): Promise<Page> {
  const page = await visitor(options)
  await startSession(page, origin, 'demo01')
  await page.goto(path)
  return page
}

const dialog = (page: Page) => page.getByRole('dialog', { name: '修改带宽' })
const save = (page: Page) => dialog(page).getByRole('button', { name: /^(确定|保存)$/ })

/** Types a value that is refused, and answers what stands at the field. */
async function refuse(page: Page, value: string): Promise<string> {
  await field(dialog(page), '带宽').fill(value)
  await save(page).click()
  return dialog(page).getByRole('alert').first().innerText()
}

it('devices stand under the names of their groups; a search finds them, and what nobody has finds none', async () => {
  const page = await openAs('/dashboard')
  await openFromMenu(page, 'SaaS加速', 'SaaS设备')
  for (const [group, count] of [
    ['海外办公', 4],
    ['门店收银', 2],
  ] as const) {
    await page.getByRole('heading', { name: `${group}（${count}）` }).waitFor()
    await expect.poll(() => page.getByRole('table', { name: group }).getByRole('row').count()).toBe(count + 1)
  }
  await expectSound(page, 'saas-1')
  const watch = await watchMarkup(page, origin)
  await page.reload()
  await page.getByRole('table', { name: '海外办公' }).waitFor()
  const search = page.getByLabel('搜索设备名称、备注或分组')
  await search.fill("<img src=x onerror=xss()>%_' OR 1=1 --")
  await expect.poll(() => page.getByRole('heading', { name: /（\d+）$/ }).count()).toBe(0)
  await search.fill('门店')
  await page.getByRole('table', { name: '门店收银' }).waitFor()
  await expect.poll(() => page.getByRole('table', { name: '海外办公' }).count()).toBe(0)
  expect(await watch.found()).toEqual([])
})

it.each(FLOW_WIDTHS)(
  'a day of a device by application and address: chart, shares that are together 100.00, and a range too old (%i px)',
  async (width) => {
    const page = await openAs(DEVICE, { width })
    await page.getByRole('tab', { name: '流量分析' }).click()
    const chart = page.getByRole('img', { name: /^应用流量 的速率曲线/ })
    const askAgain = async () => {
      await page.getByRole('button', { name: '近24小时' }).click()
      return chart.getAttribute('aria-label')
    }
    await expect.poll(askAgain, { interval: 2_000 }).toMatch(/平均.*峰值/) // a device that has just connected reports its past hours one by one
    await chart.locator('canvas').first().waitFor() // its chunk comes later
    await expectSound(page, 'saas-2')
    await page.getByRole('tab', { name: '源地址流量' }).click()
    await page.getByRole('button', { name: '近24小时' }).click()
    await page
      .getByRole('img', { name: /^源地址流量 的速率曲线.*平均.*峰值/ })
      .locator('canvas')
      .first()
      .waitFor()
    for (const [tab, label] of [
      ['应用占比', '应用占比'],
      ['源地址占比', '源地址占比'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('button', { name: '近24小时' }).click()
      const bars = page.getByRole('list', { name: label }).getByRole('listitem')
      await bars.first().waitFor()
      const shares = await bars.locator('b').allInnerTexts()
      const hundredths = shares.map((text) => Math.round(Number.parseFloat(text) * 100))
      expect(hundredths.reduce((sum, share) => sum + share, 0)).toBe(10_000)
      const named = hundredths.slice(0, (await bars.last().innerText()).startsWith('其他') ? -1 : undefined)
      expect(named).toEqual(named.toSorted((a, b) => b - a))
      await expectSound(page, 'saas-3')
    }
    await page.getByLabel('开始时间').fill('2001-01-01 00:00')
    await page.getByRole('button', { name: '查询' }).click()
    await page.getByRole('alert').filter({ hasText: '最多查询最近180天' }).waitFor()
  },
)

it('bandwidth: wrong values are named at the field, a right one is saved; the note keeps markup as text', async () => {
  const page = await openAs(DEVICE)
  const watch = await watchMarkup(page, origin)
  await page.reload()
  await page.getByRole('button', { name: '修改带宽' }).click()
  expect(await refuse(page, '')).toContain('请输入带宽')
  expect(await refuse(page, '0')).toContain('带宽不能小于等于0 Mbs')
  expect(await refuse(page, '151')).toContain('带宽不能大于最大值：150 Mbs')
  expect(await refuse(page, '1.5')).toContain('带宽必须为整数')
  expect(await refuse(page, '<5>.0e')).toContain('带宽必须为整数')
  expect(await dialog(page).getByRole('button', { name: '200 Mbps', exact: true }).isDisabled()).toBe(true)
  await dialog(page).getByRole('button', { name: '100 Mbps', exact: true }).click()
  await expectSound(page, 'saas-4')
  await save(page).click()
  await page.getByText('100 Mbs（最大 150 Mbs）').waitFor()
  await page.getByRole('button', { name: '修改备注' }).click()
  const note = page.getByRole('dialog', { name: '修改备注' })
  await field(note, '备注').fill(MARKUP)
  await note.getByRole('button', { name: /^(确定|保存)$/ }).click()
  await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor()
  expect(await watch.found()).toEqual([])
})

it('dial records: the presence that lasts stands on top with its volumes, and is found by its address', async () => {
  const page = await openAs('/saas/detail?router_name=NL22P003')
  const table = page.getByRole('table', { name: '拨号记录' })
  const first = table.getByRole('row').nth(1)
  await first.getByText('在线中').waitFor()
  expect(await first.innerText()).toMatch(/\d+(\.\d+)? [kMGT]?B/)
  const search = page.getByLabel('搜索IP或来源')
  await search.fill('"><script>xss()</script>')
  await expect.poll(() => table.getByText('在线中').count()).toBe(0)
  await search.fill('')
  await table.getByText('在线中').first().waitFor()
  await expectSound(page, 'saas-5')
})

it('a pool: its devices by country of their exit, and a bandwidth of one within it', async () => {
  const page = await openAs('/dashboard')
  await openFromMenu(page, 'SaaS加速', '带宽池')
  const pools = page.getByRole('table', { name: '带宽池' })
  await pools.getByText('150 Mbs').waitFor()
  await expectSound(page, 'saas-6')
  await pools.getByRole('link', { name: '海外加速池' }).click()
  const devices = page.getByRole('table', { name: '带宽池设备' })
  await expect.poll(() => devices.getByRole('row').count()).toBe(4)
  await expectSound(page, 'saas-7')
  await page.getByRole('button', { name: '日本' }).click()
  await expect.poll(() => devices.getByRole('row').count()).toBe(2)
  const row = devices.getByRole('row').nth(1)
  const before = Number.parseInt(/(\d+) Mbs/.exec(await row.innerText())?.[1] ?? '', 10)
  const next = before === 100 ? 50 : 100
  await row.getByRole('button', { name: /修改带宽/ }).click()
  expect(await refuse(page, '0')).toContain('带宽数据不能小于等于 0 Mbs，且不能大于最大值 150 Mbs')
  expect(await refuse(page, '999')).toContain('带宽数据不能小于等于 0 Mbs，且不能大于最大值 150 Mbs')
  await dialog(page)
    .getByRole('button', { name: `${next} Mbps`, exact: true })
    .click()
  await save(page).click()
  await row.getByText(`${next} Mbs`).waitFor()
  await page.goto('/saas/bandwidth_pool_detail?id=99999999')
  await page.waitForURL('**/saas/bandwidth_pool')
})
