import { expect, it } from 'vitest'
import { outboxItem } from '#infra/local/api.ts'
import { opsApi } from '#contract/ops/index.ts'
import { useOps } from '../ops.ts'
import { totpCodeAt } from '#tests/support/authenticator.ts'
import { findViolations } from '../axe.ts'
import {
  WIDTHS,
  field,
  openPublicPage,
  readCaptcha,
  sideScroll,
  signIn,
  useBrowserHarness,
} from '../browser-harness.ts'
import { TOTP } from '#contract/login/limits.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'

const { origin, visitor, tab } = useBrowserHarness()
const ops = useOps(origin)

it('shows why a sign-in failed and draws another captcha', async () => {
  const { username, password } = await ops.newAccount()
  const page = await visitor()
  const captcha = await openPublicPage(page, origin, '/login')

  await page.getByRole('button', { name: '登录', exact: true }).click()
  for (const text of ['用户名不能为空', '密码不能为空', '验证码不能为空']) await page.getByText(text).waitFor()

  await field(page, '用户名').fill(username)
  await field(page, '密码').fill(password)
  await field(page, '验证码').fill(captcha === 'AAAA' ? 'BBBB' : 'AAAA')
  const redrawn = page.waitForResponse((response) => response.url().includes('/verify/code'))
  await page.keyboard.press('Enter')
  await page.getByText('图形验证码错误或已失效，请重新输入').first().waitFor()
  const { code: second } = await readCaptcha(origin, await redrawn)
  await expect.poll(() => field(page, '验证码').inputValue()).toBe('')

  await field(page, '密码').fill('Wrong2026')
  await field(page, '验证码').fill(second)
  await page.keyboard.press('Enter')
  await page.getByText('用户名或密码错误').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})

it('does proof of work beside the picture after many failures of the address, and signs in with it', async () => {
  const { username, password } = await ops.newAccount()
  const address = { 'cf-connecting-ip': '198.51.100.77' } // no other test signs in from there
  for (let i = 0; i < FAILURE_WORK.perAddress; i++) {
    const wrong = { username: 'nobody', password: 'Wrong2026', code: '0000', uniqid: 'none' }
    const headers = { 'content-type': 'application/json', ...address }
    await fetch(`${origin}/api/v1/login/account`, { method: 'POST', headers, body: JSON.stringify(wrong) })
  }
  const page = await visitor()
  await page.setExtraHTTPHeaders(address)
  const worker = page.waitForEvent('worker')
  const sent = page.waitForRequest((request) => request.url().endsWith('/login/account'))
  await Promise.all([signIn(page, origin, username, password), page.getByText(/^安全验证/).waitFor()])
  expect((await worker).url()).toMatch(/proof-of-work\.worker-[\w-]+\.js$/)
  expect((await sent).postDataJSON()).toMatchObject({ username, nonce: expect.stringMatching(/^\d+$/) as string })
})

it('registers by e-mail with a code from the mail, and goes on to the overview signed in', async () => {
  const mark = Math.random().toString(36).slice(2, 10)
  const email = `${mark}@browser.example`
  const page = await visitor()
  const captcha = await openPublicPage(page, origin, '/register')
  await page.getByRole('tab', { name: '邮箱注册' }).click()
  await field(page, '昵称').fill('新客户')
  await field(page, '用户名').fill(`n${mark}`)
  await field(page, '密码').fill('Fresh2026')
  await field(page, '确认密码').fill('Fresh2026')
  await field(page, '邮箱').fill(email)
  await field(page, '图形验证码').fill(captcha)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  await field(page, '邮箱验证码').fill((await outboxItem(origin, 'mail', { to: email })).code)
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await page.getByRole('alert').first().waitFor() // the agreement is not ticked
  await page.locator('.semi-checkbox-inner-display').click()
  await page.getByRole('button', { name: '注册', exact: true }).click()
  await page.getByText('注册成功').waitFor()
  await page.getByRole('main').getByText('新客户').waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

it('sets a forgotten password in three steps', async () => {
  const { username, email } = await ops.newAccount()
  const page = await visitor()
  const captcha = await openPublicPage(page, origin, '/reset')
  await field(page, '用户名').fill(username)
  await field(page, '验证码').fill(captcha)
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByText('绑定的邮箱').click()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  await field(page, '验证码').fill((await outboxItem(origin, 'mail', { to: email })).code)
  await page.getByRole('button', { name: '下一步' }).click()
  await field(page, '新密码').fill('Again2026')
  await field(page, '重复密码').fill('Again2027')
  await page.getByRole('button', { name: '重置密码' }).click()
  await page.getByText('2次密码输入不一致').waitFor()
  await field(page, '重复密码').fill('Again2026')
  await page.getByRole('button', { name: '重置密码' }).click()
  await page.getByText('密码已重置').waitFor()
  await signIn(page, origin, username, 'Again2026')
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

it('lets a sub-account change its own password and signs it out by that', async () => {
  const { username: account } = await ops.newAccount()
  const { login_name: login } = await ops.call(opsApi.createRam, {
    account,
    username: 'desk',
    nickname: '值班',
    password: 'Desk2026',
    role: '值班',
    flags: [],
  })
  const page = await visitor()
  await signIn(page, origin, login, 'Desk2026')
  await page.getByText('子账号', { exact: true }).waitFor()
  await page.getByRole('button', { name: '值班' }).click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  await field(page, '原密码').fill('Wrong2026')
  await field(page, '新密码').fill('Desk2027')
  await field(page, '重复密码').fill('Desk2027')
  await page.keyboard.press('Enter')
  await page.getByText('原密码错误').first().waitFor()
  await field(page, '原密码').fill('Desk2026')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
  await page.getByText('修改成功').waitFor()
  await signIn(page, origin, login, 'Desk2027')
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

it('signs in by a token link once, and leaves no token in the address', async () => {
  const { username } = await ops.newAccount()
  const link = new URL((await ops.call(opsApi.tokenLink, { account: username })).url)
  const page = await visitor()
  await page.goto(link.pathname + link.search)
  await page.getByText('授权成功').waitFor()
  await page.waitForURL('**/dashboard')
  expect(page.url()).not.toContain('token')

  const other = await visitor()
  await other.goto(link.pathname + link.search)
  await other.getByText('授权失败').waitFor()
  expect(new URL(other.url()).pathname).toBe('/login')
  expect(other.url()).not.toContain('token')
})

it('ends the other tab with the sign-out of one', async () => {
  const { username, password } = await ops.newAccount()
  const page = await visitor()
  await signIn(page, origin, username, password)
  const second = await tab(page)
  await second.goto('/network/lists')
  await second.getByRole('heading', { name: '组网列表' }).waitFor()
  await page.bringToFront() // a hidden tab draws a frame a second, and clicks wait for frames
  await page.getByRole('button', { name: '测试租户' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
  await page.waitForURL('**/login')
  await second.waitForURL('**/login*')
  await second.goto('/router/lists')
  await second.waitForURL('**/login*')
  expect(await second.context().cookies()).toEqual([])
})

it('sets up a second factor, asks for it at the next sign-in, and takes a recovery code in its place', async () => {
  const { username, password } = await ops.newAccount()
  const page = await visitor({ width: WIDTHS.phone })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const begin = async () => {
    await openPublicPage(page, origin, '/login').then((captcha) => field(page, '验证码').fill(captcha))
    await field(page, '用户名').fill(username)
    await field(page, '密码').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '两步验证' }).waitFor()
  }
  await signIn(page, origin, username, password)
  await page.goto('/account/security')
  await press('开启两步验证')
  await page.getByRole('img', { name: /两步验证的二维码/ }).waitFor()
  const secret = await page.getByRole('dialog').locator('code').innerText()
  await field(page, '动态验证码').fill(totpCodeAt(secret, Date.now()))
  await field(page, '登录密码').fill(password)
  await press('开启')
  const recovery = await page.getByRole('list', { name: '恢复码' }).getByRole('listitem').first().innerText()
  await press('已保存')
  await page.getByText('两步验证已开启').waitFor()
  await page.context().clearCookies()

  await begin()
  expect(await findViolations(page, 'light')).toEqual([])
  expect(await sideScroll(page)).toBe(0)
  await field(page, '动态验证码').fill(totpCodeAt(secret, Date.now() - 600_000))
  await page.keyboard.press('Enter')
  await page.getByText('动态验证码错误或已使用，请输入最新的验证码').waitFor()
  await field(page, '动态验证码').fill(totpCodeAt(secret, Date.now() + TOTP.periodSeconds * 1000)) // that of now is used
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.context().clearCookies()

  await begin()
  await press('使用恢复码')
  await field(page, '恢复码').fill(recovery)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
})
