import { afterEach, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { outboxItem } from '#infra/local/api.ts'
import { useAgents } from './agent-process.ts'
import { field, openPublicPage, sideScroll, startSession, useBrowserHarness, WIDTHS } from './browser-harness.ts'
import { useDevices } from './devices.ts'
import { useOps } from './ops.ts'

/* First day of a customer: from the registration to the first router online, on a host that grants trial seats. */

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)
const agents = useAgents()
afterEach(() => agents.stop())
const { newAccount } = useDevices(origin)

/** Most inputs and clicks from the empty registration to the router online. */
const ACTIONS_MAX = 14
const digits = (count: number) => Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join('')

const provision = async () => {
  const serial = `NLFD${digits(8)}`
  return ops.call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
}

it('leads from the registration to the first router online in fourteen actions', async () => {
  const { serial, activation_code } = await provision()
  const phone = `166${digits(8)}`
  const page = await visitor()
  let actions = 0
  const act = async (step: Promise<void>) => {
    actions++
    await step
  }
  const press = (name: string) => act(page.getByRole('button', { name, exact: true }).click())
  const fill = (label: string, text: string) => act(field(page, label).fill(text))

  const captcha = await openPublicPage(page, origin, '/register')
  await fill('昵称', '新客户')
  await fill('用户名', `fd${digits(9)}`)
  await fill('密码', 'Fresh2026')
  await fill('确认密码', 'Fresh2026')
  await act(page.getByPlaceholder('手机号码').fill(phone))
  await fill('图形验证码', captcha)
  await press('获取验证码')
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  await fill('手机验证码', (await outboxItem(origin, 'sms', { to: `+86 ${phone}` })).code)
  await act(page.locator('.semi-checkbox-inner-display').click())
  await press('注册')
  await page.getByText('已开通 3 个试用席位，有效期 14 天').waitFor()
  await page.waitForURL('**/dashboard')

  const steps = page.getByRole('region', { name: /^开始使用/ })
  const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title })
  await step('开通服务').getByText('已完成').waitFor({ state: 'attached' })
  await press('认领硬件')
  await fill('序列号', serial)
  await fill('激活码', activation_code)
  await press('添加')
  await page.getByRole('cell', { name: serial }).first().waitFor()
  const folder = await agents.createFolder(serial)
  folder.run(origin, activation_code)
  await page.getByRole('group', { name: '在线状态' }).getByRole('button', { name: '在线 1' }).waitFor()
  expect(actions).toBeLessThanOrEqual(ACTIONS_MAX)

  await page.goto('/dashboard')
  await step('看到在线').getByText('已完成').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: '创建组网', exact: true }).click()
  await page.getByText(/^已为您选好中心点和普通点/).waitFor()
  await field(page, '组网名称').fill('第一张网')
  await page.getByRole('button', { name: '创建组网', exact: true }).click()
  await page.waitForURL('**/network/detail?network_number=*')
})

it('says on a phone which device is awaited, and what the provider was asked', async () => {
  const { username, claim } = await newAccount()
  await claim('NLFD', 1, '总部')
  const page = await visitor({ width: WIDTHS.phone, theme: 'dark' })
  await startSession(page, origin, username)
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: /^开始使用/ })
  await steps.getByText(/“总部”等待上线/).waitFor()
  await steps.getByRole('button', { name: '联系服务商' }).first().click()
  await field(page, '标题').waitFor()
  expect(await field(page, '标题').inputValue()).toBe('开通服务：组网席位')
  await page.getByRole('main').getByRole('button', { name: '提交工单', exact: true }).click()
  await page.waitForURL('**/ticket/detail?ticket_number=*')
  await page.goto('/dashboard')
  await steps.getByText(/^已提交 \d\d-\d\d \d\d:\d\d，待回复$/).waitFor()
  expect(await sideScroll(page)).toBeLessThanOrEqual(0)
})

it('the link of a box survives the sign-in, and shows its code to no address bar', async () => {
  const { serial, activation_code, claim_path } = await provision()
  const { username } = await newAccount()
  const page = await visitor({ width: WIDTHS.phone })
  await page.goto(claim_path)
  await page.waitForURL(/\/login\?redirect=/)
  const login = new URL(page.url())
  expect(login.hash + decodeURIComponent(login.search)).toBe('?redirect=/router/lists?claim=1')
  await startSession(page, origin, username)
  await page.goto(login.pathname + login.search)
  const form = page.getByRole('dialog', { name: '添加硬件成员' })
  await form.waitFor()
  expect(await field(form, '序列号').inputValue()).toBe(serial)
  expect(await field(form, '激活码').inputValue()).toBe(activation_code)
  expect(page.url()).not.toContain('claim')
  await form.getByRole('button', { name: '添加' }).click()
  await page.getByRole('main').getByText(serial).first().waitFor()
})
