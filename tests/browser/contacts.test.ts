import { expect, it } from 'vitest'
import { callEndpoint, outboxItem } from '#infra/local/api.ts'
import { localSecrets } from '#infra/local/secrets.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { openLink } from '#infra/demo/load.ts'
import { signUnsubscribe } from '#security/signed-links.ts'
import { findViolations } from './axe.ts'
import {
  chooseTheme,
  THEMES,
  WIDTHS,
  field,
  resize,
  sideScroll,
  startSession,
  useBrowserHarness,
} from './browser-harness.ts'
import { useOps } from './ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)

/** Path and query of the link in the newest mail to an address; the mail itself names the configured host. */
async function linkFor(email: string): Promise<string> {
  const [, path = ''] =
    /https?:\/\/[^/\s]+(\/validate\/\S+)/.exec((await outboxItem(origin, 'mail', { to: email })).text) ?? []
  return path
}

it('account 2, 4: a contact is added, verified by the link of its mail, edited, expires, is renewed and deleted', async () => {
  const { username } = await ops.newAccount()
  const email = `${username}@contacts.example`
  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto('/account/contacts')
  await page.getByText('好像没有什么东西哦！').waitFor()

  await page.getByRole('button', { name: '添加联系人' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '添加' }).click()
  for (const text of ['请输入名称', '请输入邮箱']) await dialog.getByText(text).waitFor()
  await field(dialog, '名称').fill('网络值班')
  await field(dialog, '邮箱').fill(email)
  await dialog.getByRole('button', { name: '添加' }).click()
  await page.getByText('添加成功').waitFor()
  const row = page.getByRole('row', { name: /网络值班/ })
  await row.getByText('未验证').waitFor()
  await row.getByText(/^\d+秒后重试$/).waitFor()

  const recipient = await visitor()
  const link = await linkFor(email)
  for (let times = 1; times <= 2; times++) {
    await recipient.goto(link)
    await recipient.getByRole('img', { name: '成功' }).waitFor()
    await recipient.getByText('已验证').waitFor()
  }
  await recipient.goto('/validate/email?s=unknown')
  await recipient.getByText('链接无效或已过期，请在联系人中重新发送').waitFor()
  await recipient.getByRole('img', { name: '失败' }).waitFor()

  await page.reload()
  await row.getByText('已验证').waitFor()
  const ended = { account: username, email, expired_time: Date.now() - 60_000 }
  await ops.call(opsApi.setContactExpiry, ended)
  await page.reload()
  await row.getByText('(已过期)').waitFor()
  await row.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '更新授权' }).click()
  await page.getByText('授权成功').waitFor()
  await expect.poll(() => row.getByText('(已过期)').count()).toBe(0)

  await row.getByRole('button', { name: /^编辑/ }).click()
  await field(dialog, '邮箱').fill(`new.${email}`)
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('修改成功').waitFor()
  await row.getByText('未验证').waitFor()
  await recipient.goto(link)
  await recipient.getByRole('img', { name: '失败' }).waitFor()
  expect(await linkFor(`new.${email}`)).not.toBe(link)

  await row.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('alertdialog').getByText('是否确定删除?').waitFor()
  await page.getByRole('button', { name: '删除联系人' }).click()
  await page.getByText('删除成功').waitFor()
  await page.getByText('好像没有什么东西哦！').waitFor()
})

it('account 4: the link to unsubscribe asks first, and its button ends the authorization', async () => {
  const mark = Math.random().toString(36).slice(2, 10)
  const [username, password, email] = [`u${mark}`, 'Pass2026', `${mark}@contacts.example`]
  const { account_id } = await ops.call(opsApi.createAccount, { username, nickname: '测试租户', password })
  const token = await ops.signIn(username)
  const { uuid } = await callEndpoint(origin, '/api/v1', contactsApi.create, { name: '值班', email }, token)
  await openLink(origin, email)

  const recipient = await visitor()
  const asked: string[] = []
  recipient.on('request', (request) => asked.push(request.url()))
  const press = async (s: string) => {
    await recipient.goto(`/validate/unsubscribe?s=${s}`)
    const button = recipient.getByRole('button', { name: '确认退订' })
    await button.waitFor()
    expect(asked.filter((url) => url.endsWith(contactsApi.unsubscribe.path))).toEqual([])
    await button.click()
    await recipient.getByRole('status').waitFor()
    asked.length = 0
  }
  await press(`${uuid}.nothing`)
  await recipient.getByText('退订链接无效或已失效，请使用最近一封邮件中的退订链接').waitFor()
  await press(await signUnsubscribe(localSecrets().HMAC_SECRET, { accountId: account_id, uuid, email }))
  await recipient.getByText('已退订').waitFor()

  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto('/account/contacts')
  await page.getByRole('row', { name: /值班/ }).getByText('未验证').waitFor()
})

it('the contacts of the demo fit every width, and axe finds nothing moderate or worse in light and dark', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  for (const path of ['/account/contacts', '/validate/email?s=unknown', '/validate/unsubscribe?s=unknown']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    for (const width of [WIDTHS.wide, WIDTHS.narrow, WIDTHS.phone]) {
      await resize(page, width)
      for (const theme of THEMES) {
        await chooseTheme(page, theme)
        expect(await sideScroll(page), `${path} ${width} ${theme}`).toBe(0)
        expect(await findViolations(page, theme), `${path} ${width} ${theme}`).toEqual([])
      }
    }
    await resize(page, WIDTHS.wide)
  }
  await page.goto('/account/contacts')
  for (const text of ['(已过期)', '未验证', '网络值班']) await page.getByText(text).first().waitFor()
})
