import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { confirmCodeText } from '#domain/auth-source/sign-in-page.ts'
import { FAKE_APPS } from '#tests/support/fakes/sign-in/desk.ts'
import { WIDTHS, field, startSession, useBrowserHarness } from '../browser-harness.ts'
import { FLOW_WIDTHS, PAGE_WIDTHS, expectSound, findFaults } from '../inspector.ts'
import { useOps } from '../ops.ts'
import { routerApi } from '#contract/router/index.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)

const PHONE = '13912340001'
const { wecom } = FAKE_APPS

/** An account with auth sources, and one software member that has a phone. */
async function createCompany() {
  const account = await ops.newAccount({ software_auth_source: 1 })
  const { username, sign } = account
  const term = { start_time: Date.now() - 1_000, expired_time: Date.now() + 300 * 86_400_000 }
  await ops.call(opsApi.setService, { account: username, kind: 'software_member', name: '标准', quantity: 5, ...term })
  const token = await ops.signIn(username)
  const member = { router_type: 2, username: 'zhangsan', password: 'Pass2026', note: '张三', phone: PHONE } as const
  const { router_name } = await callEndpoint(origin, '/api/v1', routerApi.add, member, token)
  return { username, sign, token, member: router_name }
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '添加认证源' })
  for (const [label, value] of Object.entries(values)) await field(dialog, label).fill(value)
}

/** Acts as a client: opens the address in a browser, and polls for the session meanwhile. */
async function beginSignIn(code: string) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const call = <E extends typeof clientApi.authStart | typeof clientApi.authToken>(
    spec: E,
    input: Parameters<typeof callEndpoint<E>>[3],
  ) => callEndpoint(origin, '/api/v1', spec, input, '')
  const { url, request_id, confirm_code } = await call(clientApi.authStart, {
    source_code: code,
    type: 'wechat',
    challenge,
    os: 'linux',
    version: '1.0.0',
    device_name: '张三的电脑',
  })
  return { url, code: confirmCodeText(confirm_code), poll: () => call(clientApi.authToken, { request_id, verifier }) }
}

it.each(FLOW_WIDTHS)('an administrator adds WeCom, and a member signs in with it (%i px)', async (width) => {
  const company = await createCompany()
  const page = await visitor({ width })
  await startSession(page, origin, company.username)
  await page.goto('/router/auth_source')
  await page.getByText('还没有认证源').last().waitFor()
  await expectSound(page, 'auth-sources-none')
  await page.getByRole('button', { name: '添加认证源' }).first().click()
  const dialog = page.getByRole('dialog', { name: '添加认证源' })
  await fill(page, {
    认证源名称: '企业微信',
    企业ID: 'ww1',
    '应用ID（AgentId）': wecom.agentId,
    AppSecret: wecom.secret,
  })
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await dialog.getByText('企业微信返回错误40013：invalid corpid').waitFor()
  await expectSound(page, 'auth-source-create')
  await fill(page, { 企业ID: wecom.appId, AppSecret: 'wrong' })
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await dialog.getByText('企业微信返回错误40001：invalid credential').waitFor()
  await fill(page, { AppSecret: wecom.secret })
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await page.getByRole('row', { name: /企业微信.*已启用/ }).waitFor()

  const { code } = await callEndpoint(origin, '/api/v1', authSourceApi.code, {}, company.token)
  await page.getByText(code).first().waitFor()
  await expectSound(page, 'auth-sources')

  // The QR code tells no phone: WeCom's own application does, once; then the person is known.
  const { url, code: shown, poll } = await beginSignIn(code)
  const phone = await visitor({ width: WIDTHS.phone })
  await phone.goto(url)
  await phone.getByLabel('手机号码').fill(PHONE)
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  const inApp = await phone.getByRole('link').first().getAttribute('href')
  expect((await poll()).status).toBe('pending')
  await phone.goto(inApp ?? '')
  await phone.getByLabel('手机号码').fill(PHONE)
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await confirmOwn(phone, shown)
  await expect.poll(async () => (await poll()).session?.router_name).toBe(company.member)

  const again = await beginSignIn(code)
  await phone.goto(again.url)
  await phone.getByLabel('手机号码').fill(PHONE)
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await confirmOwn(phone, again.code)
  await expect.poll(async () => (await again.poll()).session?.router_name).toBe(company.member)

  const stranger = await beginSignIn(code)
  await phone.goto(stranger.url)
  await phone.getByRole('button', { name: '其他企业的人' }).click()
  await phone.getByText('非本企业成员，请使用企业内的账号登录').waitFor()
  await expect(stranger.poll()).rejects.toThrow('非本企业成员')

  await page.getByRole('button', { name: '企业微信 的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
  await page.getByText('还没有认证源').last().waitFor()
  await expect(beginSignIn(code)).rejects.toThrow('该认证源未启用')
})

/** The page asks for the device and the code that the client shows. */
async function confirmOwn(phone: Page, code: string): Promise<void> {
  await phone.getByText(code).waitFor()
  await phone.getByText('张三的电脑（Linux）').waitFor()
  expect(await findFaults(phone, 'auth-confirm-light', PAGE_WIDTHS)).toEqual([]) // outside the console, without its themes
  await phone.getByRole('button', { name: '确认登录' }).click()
}
