import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { hostAddress, type SiteName } from '#infra/lab/bed/sites.ts'
import { paths } from '#lib/paths.ts'
import { chooseFromMenu, field, startSession, useBrowserHarness } from '../browser-harness.ts'
import { expectSound } from '../inspector.ts'
import { useRecordedOffice } from '../recorded-office.ts'

const { origin, visitor } = useBrowserHarness()
const openOffice = useRecordedOffice(origin)

const NAME = '办公网'

it('routes that a device has differ from those of the network: each says how and why, and is found by search and filter', async () => {
  const office = await openOffice()
  const page = await visitor()
  await startSession(page, origin, office.username)
  await page.goto(`${paths.network(office.network_number, { member: office.name('C') })}&view=routes`)
  const table = page.getByRole('table', { name: '路由' })
  const says = async (prefix: string, ...texts: readonly string[]) => {
    const row = table.getByRole('row').filter({ hasText: prefix }).first()
    for (const text of texts) await row.getByText(text).filter({ visible: true }).waitFor()
  }
  await table.getByText('一致').first().waitFor()
  await page.getByText('仅看差异（0）').click()
  await page.getByText('没有差异').waitFor()

  office.play('routes')
  await page.getByRole('button', { name: '刷新' }).click()
  await says('10.14.0.0/24', '缺失', '对端未公布该网段')
  await says('10.11.0.0/24', '路径不同', '首选路径未生效')
  await says('10.99.0.0/24', '多余', '没有成员公布该网段')
  expect(await table.getByText('一致').count()).toBe(0)
  await expectSound(page, 'route-differences')
  await page.getByText(/^仅看差异/).click()
  await table.getByText('一致').first().waitFor()
  await page.getByLabel('搜索目的地址、网段或成员').fill('10.14.0.9')
  await expect.poll(() => table.getByText('一致').count()).toBe(0)
  await says('10.14.0.0/24', '缺失')
})

interface Fault {
  readonly stage: 'cut' | 'lan' | 'kernel'
  readonly destination: string
  readonly verdict: RegExp
  /** Router with the first difference. */
  readonly at: SiteName
}

const FAULTS: readonly Fault[] = [
  { stage: 'cut', destination: hostAddress('A'), verdict: /隧道断开/, at: 'C' },
  { stage: 'lan', destination: hostAddress('D'), verdict: /LAN接口未连接，或设备未声明该网段$/, at: 'D' },
  { stage: 'kernel', destination: hostAddress('D'), verdict: /对端路由[AB]有该路由，本设备的路由表中缺失$/, at: 'C' },
]

async function start(page: Page, destination: string) {
  await chooseFromMenu(page, NAME, '诊断')
  const dialog = page.getByRole('dialog', { name: '诊断' })
  await field(page, '目的地址').fill(destination)
  await dialog.getByRole('button', { name: '开始' }).click()
  return dialog
}

it('a diagnosis shows its steps as they come, then what decides, of three faults and of a sound path', async () => {
  const office = await openOffice()
  const { network_number, call } = office
  const page = await visitor()
  await startSession(page, origin, office.username)
  await page.goto(`${paths.network(network_number)}&view=links`)

  const refused = await start(page, '198.51.100.80')
  await refused.getByText(/不在组网“办公网”的有效网段内/).waitFor()
  await expectSound(page, 'diagnosis-form')
  const release = office.router('D').hold()
  await field(page, '目的地址').fill(hostAddress('D'))
  await refused.getByRole('button', { name: '开始' }).click()
  const steps = page.getByRole('list', { name: '诊断步骤' }).getByRole('listitem')
  await page.getByText('正在诊断').waitFor()
  await expect.poll(() => steps.count()).toBe(2)
  await expectSound(page, 'diagnosis-running')
  release()
  await page.getByText(/^逐跳一致，10\.14\.0\.10 可达，平均 [\d.]+ ms$/).waitFor()
  expect(await steps.filter({ hasText: '不一致' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  for (const { stage, destination, verdict, at } of FAULTS) {
    office.play(stage)
    if (stage === 'cut')
      await page.getByRole('row').filter({ hasText: '路由C' }).filter({ hasText: '路由A' }).getByText('断开').waitFor()
    const dialog = await start(page, destination)
    await dialog.getByText(verdict).last().waitFor()
    const wrong = steps.filter({ hasText: '不一致' })
    expect(await wrong.first().locator('strong').textContent()).toBe(`路由${at}`)
    await expectSound(page, `diagnosis-${stage}`)
    await page.keyboard.press('Escape')
    office.play('well')
    await expect.poll(() => page.getByText('断开').count()).toBe(0)
  }

  await chooseFromMenu(page, NAME, '诊断记录')
  const records = page.getByRole('dialog', { name: '诊断记录' })
  await records
    .getByRole('button', { name: /^路径分析/ })
    .first()
    .waitFor()
  await expectSound(page, 'diagnoses')
  expect(await call(networkApi.diagnoses, { network_number, page: 1, limit: 20 })).toHaveLength(4)
})
