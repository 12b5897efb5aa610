import { expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { useOps } from './ops.ts'
import { findNetworkPath, field, recordFrames, startSession, useBrowserHarness } from './browser-harness.ts'

const { origin, visitor, tolerate } = useBrowserHarness()
const ops = useOps(origin)

it('sends once what is clicked twice while the network is slow', async () => {
  const account = await ops.newAccount()
  const now = Date.now()
  const service = { kind: 'software_member', name: '软件成员', quantity: 5 } as const
  await ops.call(opsApi.setService, {
    account: account.username,
    ...service,
    start_time: now,
    expired_time: now + 86_400_000,
  })
  const page = await visitor()
  await startSession(page, origin, account.username)
  await page.goto('/router/lists?type=2')
  await page.getByRole('button', { name: '添加软件成员' }).first().click()
  const dialog = page.getByRole('dialog')
  await field(dialog, '账号').fill('twice')
  await field(dialog, '密码').fill('Twice2026')
  let sent = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v1/router/add', async (route) => {
    sent++
    await released
    await route.continue()
  })
  await dialog.locator('button[type="submit"]').dblclick()
  await page.keyboard.press('Enter')
  release()
  await page.getByText(`twice@${account.sign}`).first().waitFor()
  expect(sent).toBe(1)
})

it('greys states while offline, and is live again when online', async () => {
  tolerate('ERR_INTERNET_DISCONNECTED')
  const page = await visitor()
  const frames = recordFrames(page)
  const address = await findNetworkPath(origin, await startSession(page, origin, 'demo01'), '总部与分支互联')
  await page.goto(`${address}&view=table`)
  const row = page.getByRole('row').filter({ hasText: 'NL80C002' })
  const notice = page.getByText('网络已断开')
  const snapshots = () => frames.filter((frame) => frame.includes('"type":"snapshot"')).length
  await row.locator('.nl-tone-ok').first().waitFor()
  await expect.poll(snapshots).toBe(1)
  await page.waitForLoadState('networkidle') // the account's socket is open as well

  await page.context().setOffline(true)
  await notice.waitFor()
  await expect.poll(() => row.locator('.nl-tone-ok').count()).toBe(0)
  await page.context().setOffline(false)
  await notice.waitFor({ state: 'hidden' })
  await row.locator('.nl-tone-ok').first().waitFor()
  await expect.poll(snapshots).toBe(2)
})

it('a page that is opened offline comes by itself once the network is back', async () => {
  tolerate('ERR_INTERNET_DISCONNECTED')
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await page.goto('/dashboard')
  await page.getByRole('region', { name: '当前状态' }).waitFor()
  await page.waitForLoadState('networkidle')

  await page.context().setOffline(true)
  await page.getByRole('link', { name: '客服工单' }).first().click()
  await page.getByText('页面尚未加载，恢复后自动重试').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: '客服工单' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/ticket/lists')
})
