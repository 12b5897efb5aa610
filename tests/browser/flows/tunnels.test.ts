import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { paths } from '#lib/paths.ts'
import { chooseInRow, goWithin, startSession, useBrowserHarness } from '../browser-harness.ts'
import { expectSound } from '../inspector.ts'
import { useRecordedOffice } from '../recorded-office.ts'

const { origin, visitor } = useBrowserHarness()
const openOffice = useRecordedOffice(origin)

const [CENTER, POINT] = ['路由A', '路由C']

const rowOf = (table: Locator, point: string, center: string) =>
  table.getByRole('row').filter({ hasText: point }).filter({ hasText: center })

async function showColumns(page: Page, ...titles: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: '选择显示的列' }).click()
  for (const title of titles) await page.getByRole('checkbox', { name: title, exact: true }).check()
  await page.keyboard.press('Escape')
}

it('a network has its tunnels with quality, cipher and bytes, says why one is down, and ends the session of a software member', async () => {
  const office = await openOffice()
  const { network_number, call } = office
  const page = await visitor()
  await startSession(page, origin, office.username)
  await page.goto(`${paths.network(network_number)}&view=links`)
  const table = page.getByRole('table', { name: '链路' })
  const row = rowOf(table, POINT, CENTER)
  await row.getByText('连通').waitFor()
  await showColumns(page, '加密算法', '本端公网地址')
  for (const text of [
    '接入',
    /^[\d.]+ ms$/,
    /^[\d.]+%$/,
    /^[\d.]+ [kMG]?b \/ [\d.]+ [kMG]?b$/,
    'AES-256-GCM',
    /^203\.0\.113\.21:\d+$/,
  ])
    await row.getByText(text).first().waitFor()
  await expectSound(page, 'tunnels')

  office.play('cut')
  await row.getByText('断开').waitFor()
  await row.getByRole('button', { name: POINT }).click()
  const panel = page.getByRole('complementary')
  await panel.getByText('原因').waitFor()
  await expectSound(page, 'tunnel-down')
  await panel.getByRole('button', { name: '关闭' }).click()
  office.play('well')

  const sessions = page.getByRole('table', { name: '软件会话' })
  const session = sessions.getByRole('row').filter({ hasText: 'wang.fang' })
  await session.getByText('203.0.113.41').waitFor()
  await chooseInRow(page, session, '强制下线')
  await page.getByRole('alertdialog').getByText('它在该组网的会话会立即断开').waitFor()
  await expectSound(page, 'session-question')
  await page.getByRole('alertdialog').getByRole('button', { name: '强制下线' }).click()
  await page.getByText('暂无软件会话').waitFor()
  expect(await call(networkApi.tunnels, { network_number, kind: 'software' })).toEqual([])

  await goWithin(page, paths.router(office.name('A')))
  await page.getByRole('tab', { name: '隧道' }).click()
  const own = page.getByRole('table', { name: '隧道' })
  await own.getByRole('row').filter({ hasText: POINT }).getByText('连通').waitFor()
  await expectSound(page, 'router-tunnels')
})
