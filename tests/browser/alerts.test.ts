import { expect, it } from 'vitest'
import { callEndpoint } from '../../infra/local/api.ts'
import { monitorApi } from '../../worker/contract/monitor.ts'
import { field, signIn, useBrowserHarness } from './browser-harness.ts'
import { useDevices } from './devices.ts'

const { origin, visitor, tab } = useBrowserHarness()
const { newAccount } = useDevices(origin)

const NOTE = '南京门店'

interface Mail {
  readonly subject: string
  readonly text: string
}

async function mailsTo(address: string): Promise<readonly Mail[]> {
  const response = await fetch(`${origin}/__local/outbox?${new URLSearchParams({ kind: 'mail', to: address })}`)
  return ((await response.json()) as { items: Mail[] }).items
}
const waitForMail = (address: string, title: string) =>
  expect
    .poll(async () => (await mailsTo(address)).map(({ subject }) => subject), { timeout: 150_000 })
    .toEqual(expect.arrayContaining([expect.stringContaining(title)]))

it('a frozen device: mail, bell, open alert, acknowledgement, recovery', async () => {
  const account = await newAccount()
  const page = await visitor()
  await signIn(page, origin, account.username, account.password)
  await page.goto('/monitor/setting')
  await page.getByRole('button', { name: '启动监控' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '启动' }).click()
  await page.getByRole('switch', { name: 'Webhook' }).click()
  await page.getByText('请配置webhook再进行勾选').waitFor()
  await page.getByRole('switch', { name: '邮件' }).click()
  await field(page, '持续时间').first().fill('0')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').waitFor()

  const device = await account.start('NLA', 1, NOTE)
  const list = await tab(page)
  await list.goto('/router/lists')
  await list.getByRole('row').filter({ hasText: NOTE }).getByText('在线').waitFor()

  device.agent.kill('SIGSTOP')
  await page.getByRole('tab', { name: '告警记录' }).click()
  const alert = page.getByRole('row').filter({ hasText: `成员离线：${NOTE}` })
  await alert.getByText('未恢复').waitFor({ timeout: 150_000 })
  await waitForMail(account.email, `成员离线：${NOTE}`)
  await list.getByLabel(/未读/).first().waitFor()

  await alert.getByRole('button', { name: /^确认/ }).click()
  await alert.getByText('已确认').waitFor()
  await alert.getByText(account.username).waitFor()

  device.agent.kill('SIGCONT')
  await alert.getByText('已恢复').waitFor({ timeout: 150_000 })
  await waitForMail(account.email, `已恢复：成员离线：${NOTE}`)
  await page.getByRole('tab', { name: '投递记录' }).click()
  await expect.poll(() => page.getByRole('row').filter({ hasText: '已送达' }).count()).toBe(4)
  const { open } = await fetchAlerts(account.token)
  expect(open).toBe(0)
}, 400_000)

async function fetchAlerts(token: string): Promise<{ open: number }> {
  const data = await callEndpoint(origin, '/api/v1', monitorApi.alerts, {}, token)
  return { open: data.filter(({ end_time }) => end_time === null).length }
}
