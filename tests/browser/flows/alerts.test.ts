import { expect, inject, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import type { Arrival } from '#tests/support/fakes/arrivals.ts'
import { field, startSession, useBrowserHarness } from '../browser-harness.ts'
import { useDevices } from '../devices.ts'
import { monitorApi } from '#contract/monitor/index.ts'

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
    .poll(async () => (await mailsTo(address)).map(({ subject }) => subject))
    .toEqual(expect.arrayContaining([expect.stringContaining(title)]))

const robots = inject('robots')
/** Texts that came to the robot of this key, newest first. */
async function robotTexts(key: string): Promise<readonly string[]> {
  const { items } = (await (await fetch(`${robots}/arrived?at=dingtalk`)).json()) as { items: Arrival[] }
  return items.filter(({ to, answer }) => to === key && answer === 'ok').map(({ text }) => text)
}
const waitForRobot = (key: string, title: string) =>
  expect.poll(() => robotTexts(key)).toEqual(expect.arrayContaining([expect.stringContaining(title)]))

it('a frozen device: mail, robot, site message, bell, open alert with its cause, acknowledgement, recovery', async () => {
  const account = await newAccount()
  const device = await account.start('NLA', 1, NOTE)
  const page = await visitor()
  await startSession(page, origin, account.username)
  await page.goto('/monitor/setting')
  await page.getByRole('button', { name: '启动监控' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '启动' }).click()
  await page.getByText('未配置Webhook').waitFor() // comes last
  await page.getByRole('switch', { name: 'Webhook' }).click()
  await page.getByText('请配置webhook再进行勾选').waitFor()
  const key = `robot-${account.sign}`
  await page.getByRole('button', { name: '配置Webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Webhook' })
  await field(dialog, 'URL').fill(`https://oapi.dingtalk.com/robot/send?access_token=${key}`)
  await dialog.getByRole('button', { name: '测试' }).click()
  await dialog.getByText('发送成功').waitFor()
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('access_token=******').waitFor()
  await page.getByRole('switch', { name: 'Webhook' }).click()
  await page.getByRole('switch', { name: '邮件' }).click()
  await field(page, '持续时间').first().fill('0')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').last().waitFor()

  const list = await tab(page)
  await list.goto('/router/lists')
  await list.getByRole('row').filter({ hasText: NOTE }).getByText('在线').waitFor()

  device.agent.kill('SIGSTOP')
  device.proxy.cut() // as a NAT drops the line of a device that is silent: sooner than its lease ends
  await expect.poll(async () => (await fetchAlerts(account.token)).open, { timeout: 60_000 }).toBe(1)
  await page.getByRole('tab', { name: '告警记录' }).click()
  const title = `成员离线：${NOTE}`
  const alert = page.getByRole('row').filter({ hasText: title })
  await alert.getByText('未恢复').waitFor()
  await alert.getByText('连接中断').waitFor()
  await waitForMail(account.email, title)
  await waitForRobot(key, title)
  await list.getByLabel(/未读/).first().waitFor()

  await alert.getByRole('button', { name: /^确认/ }).click()
  await alert.getByText('已确认').waitFor()
  await alert.getByText(account.username).waitFor()

  device.agent.kill('SIGCONT')
  await expect.poll(async () => (await fetchAlerts(account.token)).open, { timeout: 60_000 }).toBe(0)
  await page.reload()
  await alert.getByText('已恢复').waitFor()
  await waitForMail(account.email, `已恢复：${title}`)
  await waitForRobot(key, `已恢复：${title}`)
  expect(await robotTexts(key)).toHaveLength(3) // with the test
  await list.goto('/account/message')
  await expect.poll(() => list.getByRole('row').filter({ hasText: title }).count()).toBe(2)

  await alert.getByRole('button', { name: /^查看对象/ }).click()
  await page.getByText(/^图表为 .* 前后的数据$/).waitFor()
  await page.getByText('当时的事件').waitFor()
  await page.goto('/monitor/setting?tab=deliveries')
  await expect.poll(() => page.getByRole('row').filter({ hasText: '已送达' }).count()).toBe(6)
})

async function fetchAlerts(token: string): Promise<{ open: number }> {
  const data = await callEndpoint(origin, '/api/v1', monitorApi.alerts, {}, token)
  return { open: data.filter(({ end_time }) => end_time === null).length }
}
