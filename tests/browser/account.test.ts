import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { outboxItem } from '#infra/local/api.ts'
import { opsApi } from '#contract/ops/index.ts'
import { findViolations } from './axe.ts'
import { WIDTHS, field, resize, sideScroll, signIn, startSession, useBrowserHarness } from './browser-harness.ts'
import { useOps } from './ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)
const PASSWORD = 'Pass2026'
const ASK_MS = 10_000

let last = 0
const createPhone = () => `177${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`
const createEmail = () => `${Math.random().toString(36).slice(2, 10)}@browser.example`

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const back = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`${name}$`) }).click()

/** Presses the button that sends the code, and types it. */
async function fillCode(page: Page, kind: 'sms' | 'mail', to: string): Promise<void> {
  await press(page, '获取验证码')
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  await field(page, '验证码').fill((await outboxItem(origin, kind, { to })).code)
}

/** Texts of what was sent there, the newest first. */
async function textsTo(to: string): Promise<string[]> {
  const response = await fetch(`${origin}/__local/outbox?${new URLSearchParams({ to })}`)
  const { items } = (await response.json()) as { items: { text: string }[] }
  return items.map(({ text }) => text)
}

const expectTextTo = (to: string, text: RegExp) => expect.poll(async () => (await textsTo(to))[0]).toMatch(text)

/** Nothing of the page is wider than its window, on a phone or a wide screen, or moderate by axe. */
async function expectSound(page: Page): Promise<void> {
  const own = page.viewportSize()?.width ?? WIDTHS.wide
  for (const width of [own === WIDTHS.wide ? WIDTHS.phone : WIDTHS.wide, own]) {
    await resize(page, width)
    expect(await sideScroll(page)).toBe(0)
  }
  expect(await findViolations(page, 'light')).toEqual([])
}

it('changes the password in three steps, which ends all other sign-ins at once', async () => {
  const { username, email } = await ops.newAccount()
  const page = await visitor({ width: WIDTHS.phone })
  const other = await visitor({ width: WIDTHS.phone })
  await startSession(other, origin, username)
  await other.goto('/dashboard')
  await startSession(page, origin, username)
  await page.goto('/account')
  await page.getByRole('link', { name: '修改密码' }).click()
  await fillCode(page, 'mail', email)
  await expectSound(page)
  await press(page, '下一步')
  await field(page, '新密码').fill('Fresh2026')
  await field(page, '重复密码').fill('Fresh2027')
  await press(page, '修改密码')
  await page.getByText('2次密码输入不一致').waitFor()
  await field(page, '重复密码').fill('Fresh2026')
  await expectSound(page)
  await press(page, '修改密码')
  await page.getByText('修改成功').waitFor()
  await expectSound(page)
  await other.waitForURL('**/login*')
  await expectTextTo(email, /的登录密码已修改，其他登录已全部退出。时间 .*，来自 .*，设备 Linux · Chrome \d+/)

  await back(page, '返回上一步')
  expect(await field(page, '新密码').inputValue()).toBe('')
  await field(page, '新密码').fill('Third2026')
  await field(page, '重复密码').fill('Third2026')
  await press(page, '修改密码')
  await page.getByText('请先完成身份验证').waitFor() // one step, one change
  await back(page, '返回账号信息')
  await page.getByRole('heading', { name: '账号信息', exact: true }).waitFor()
  await signIn(await visitor({ width: WIDTHS.phone }), origin, username, 'Fresh2026')
})

it('binds the first phone with the password, once the code field has appeared', async () => {
  const { username } = await ops.newAccount({ email: null })
  const phone = createPhone()
  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto('/account/password')
  await page.getByText('请先绑定手机或者邮箱，再修改密码').waitFor()
  await expectSound(page)
  await press(page, '绑定手机')
  const dialog = page.getByRole('dialog', { name: '绑定手机' })
  const bind = () => dialog.getByRole('button', { name: '绑定', exact: true }).click()
  await field(page, '手机号码').fill(phone)
  await field(page, '登录密码').fill(PASSWORD)
  expect(await field(page, '验证码').count()).toBe(0)
  await bind()
  await field(page, '验证码').waitFor()
  await fillCode(page, 'sms', `+86 ${phone}`)
  await expectSound(page)
  await bind()
  await page.getByText('绑定成功').waitFor()
  await page
    .getByText(`+86 ${phone.slice(0, 3)}****${phone.slice(-4)}`)
    .first()
    .waitFor()
  await expectSound(page)
})

it('changes the phone, of which the old and the new number and the e-mail hear', async () => {
  const [old, next] = [createPhone(), createPhone()]
  const { username, email } = await ops.newAccount({ phone: old })
  const page = await visitor({ width: WIDTHS.phone })
  await startSession(page, origin, username)
  await page.goto('/account')
  await page.getByRole('link', { name: '修改手机' }).click()
  await fillCode(page, 'sms', `+86 ${old}`)
  await press(page, '下一步')
  await field(page, '新手机号码').fill(next)
  await fillCode(page, 'sms', `+86 ${next}`)
  await expectSound(page)
  await press(page, '确认修改')
  await page.getByText('修改成功').waitFor()
  for (const to of [`+86 ${old}`, `+86 ${next}`, email]) await expectTextTo(to, /绑定的手机由 .* 更换为 /)
  await press(page, '返回账号信息')
  await page.getByRole('link', { name: '修改手机' }).waitFor()
  await expect.poll(() => page.getByText(`+86 ${next.slice(0, 3)}****${next.slice(-4)}`).count()).toBe(1)
})

it('changes the e-mail after a code to the old one', async () => {
  const { username, email } = await ops.newAccount()
  const next = createEmail()
  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto('/account/email')
  await fillCode(page, 'mail', email)
  await press(page, '下一步')
  await field(page, '新邮箱').fill(next)
  await fillCode(page, 'mail', next)
  await press(page, '确认修改')
  await page.getByText('修改成功').waitFor()
  await expectSound(page)
  await press(page, '返回账号信息')
  await page.getByRole('link', { name: '修改邮箱' }).waitFor()
  await expect.poll(() => page.getByText(`${next.slice(0, 1)}***@b***.example`).count()).toBe(1)
})

it('saves the profile and returns to the account', async () => {
  const { username } = await ops.newAccount()
  const page = await visitor({ width: WIDTHS.phone })
  await startSession(page, origin, username)
  await page.goto('/account')
  await page.getByRole('link', { name: '编辑资料' }).click()
  expect(await field(page, '账号').isDisabled()).toBe(true)
  await field(page, '昵称').fill('新的昵称')
  await field(page, '生日').fill('1990-01-31')
  await page.getByRole('combobox').click()
  await page.getByRole('option', { name: '制造业', exact: true }).click()
  await field(page, '职业').fill('网络工程师')
  await expectSound(page)
  await press(page, '保存')
  await page.getByText('保存成功').waitFor()
  await page.waitForURL('**/account')
  await page.getByText(`新的昵称（${username}）`).waitFor()
  await expect.poll(() => page.getByText('已设置').count()).toBe(2)
})

it.each([WIDTHS.wide, WIDTHS.phone])(
  'lists sign-ins of the sub-account, too, and ends them; it has its own behind 登录安全 (%i px)',
  async (width) => {
    const { username } = await ops.newAccount()
    const created = {
      account: username,
      username: 'desk',
      nickname: '值班',
      password: 'Desk2026',
      role: '值班',
      flags: [],
    }
    const { login_name: login } = await ops.call(opsApi.createRam, created)
    const [desk, page] = [await visitor({ width }), await visitor({ width })]
    await signIn(desk, origin, login, 'Desk2026')
    await desk.getByRole('button', { name: '值班' }).click()
    await desk.getByRole('menuitem', { name: '登录安全' }).click()
    await desk.waitForURL('**/account/security')
    await desk.getByText('当前设备').waitFor()
    await expectSound(desk)

    await startSession(page, origin, username)
    await page.goto('/account')
    await page.getByRole('link', { name: '管理两步验证与登录设备' }).click()
    await page.getByText('当前设备').waitFor()
    await expectSound(page)
    expect(await page.getByRole('table', { name: '登录设备' }).getByText(login).filter({ visible: true }).count()).toBe(
      1,
    )
    const confirming = page.getByRole('alertdialog')
    const ask = async () => {
      if (width === WIDTHS.phone) {
        await page.getByRole('button', { name: new RegExp(`^${login}.*的更多操作$`) }).click({ timeout: ASK_MS })
        await page.getByRole('menuitem', { name: '退出', exact: true }).click({ timeout: ASK_MS })
      } else await page.getByRole('button', { name: new RegExp(`^退出 ${login}`) }).click({ timeout: ASK_MS })
      await confirming.waitFor({ timeout: ASK_MS })
    }
    // A click on the menu of a row was lost once on a busy machine; not reproduced since.
    const isAsked = async () =>
      (await confirming.isVisible()) ||
      (await ask()
        .then(() => true)
        .catch(() => false))
    await expect.poll(isAsked).toBe(true)
    await confirming.getByRole('button', { name: '退出', exact: true }).click()
    await page.getByText('已退出登录').waitFor()
    await desk.waitForURL('**/login*')
  },
)
