import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { paths } from '#lib/paths.ts'
import { isStepInTurn } from '#tests/support/depth.ts'
import { findViolations } from '../axe.ts'
import {
  THEMES,
  WIDTHS,
  chooseInRow,
  chooseTheme,
  resize,
  startSession,
  useBrowserHarness,
} from '../browser-harness.ts'
import { expectSound as expectConsoleSound, findFaults, PANEL_WIDTHS } from '../inspector.ts'
import { type RecordedOffice, useRecordedOffice } from '../recorded-office.ts'

const { origin, visitor, tolerate } = useBrowserHarness()
const openOffice = useRecordedOffice(origin)

const [LAPTOP, PHONE] = ['我的笔记本', '一台名字很长而且没有空格的手机']

/** Looks at the page at the widths of a computer and of a phone, in both themes. */
async function expectSound(page: Page, name: string): Promise<void> {
  if (!isStepInTurn(name)) return
  const faults: string[] = []
  for (const theme of THEMES) {
    await chooseTheme(page, theme)
    faults.push(...(await findFaults(page, `client-${name}-${theme}`, PANEL_WIDTHS)))
    for (const width of PANEL_WIDTHS) {
      await resize(page, width)
      faults.push(...(await findViolations(page, theme)).map((fault) => `${name} at ${width} (${theme}): ${fault}`))
    }
  }
}

const clientCookies = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name.includes('client'))

async function signIn(page: Page, { name, password }: RecordedOffice['member']): Promise<void> {
  await page.getByLabel('账号').fill(name)
  await page.getByLabel('密码').fill(password)
  await page.keyboard.press('Enter')
}

async function downloadBy(page: Page, press: () => Promise<void>): Promise<{ readonly name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), text: await textOf(file) }
}

const textOf = async (file: Download): Promise<string> => readFile(await file.path(), 'utf8')

const profileOf = (page: Page, device: string) => page.getByRole('listitem').filter({ hasText: device })

it('the sign-in and its ways; a wrong password leaves no cookie', async () => {
  const page = await visitor()
  await page.goto('/client')
  await page.getByRole('heading', { name: '登录' }).waitFor()
  for (const way of ['手机验证码', '企业账号', '密码登录']) {
    await page.getByRole('button', { name: way }).click()
    await expectSound(page, `sign-in-${way}`)
  }
  await signIn(page, { name: 'nobody@qiming01', password: 'Weilai26' })
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  await expectSound(page, 'refused')
  expect(await clientCookies(page)).toEqual([])
})

it('a member sees its network, downloads a profile, fetches another with a phone once, and revokes one; its account the other', async () => {
  const office = await openOffice()
  const page = await visitor()
  await page.goto('/client')
  await signIn(page, office.member)
  await page.getByRole('heading', { name: '办公网' }).waitFor()
  await page.getByText(/^可访问 \d+ 个网段$/).click()
  await page.getByText('10.13.64.0/24').waitFor()
  await expectSound(page, 'networks')
  expect(await clientCookies(page)).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/api/v1/client' }])

  const device = page.getByLabel('设备名称')
  await device.fill(LAPTOP)
  const file = await downloadBy(page, () => page.getByRole('button', { name: '下载接入配置' }).click())
  expectProfile(file, office)
  await profileOf(page, LAPTOP)
    .getByText(/^有效期至 \d{4}-\d{2}-\d{2}$/)
    .waitFor()

  await device.fill(PHONE)
  await page.getByRole('button', { name: '用手机扫码下载' }).click()
  await page.getByRole('img', { name: '下载链接的二维码' }).waitFor()
  const link = (await page.getByRole('link', { name: '在本机打开链接' }).getAttribute('href')) ?? ''
  await expectSound(page, 'phone-link')
  await fetchOnce(link, office)

  await page.reload()
  await page.getByText(`账号 ${office.member.name}`).waitFor()
  await profileOf(page, LAPTOP).getByRole('button', { name: /^吊销/ }).click()
  await expectSound(page, 'revocation')
  await page.getByRole('button', { name: '确定吊销' }).click()
  await profileOf(page, LAPTOP).getByText('已失效').waitFor()
  await profileOf(page, PHONE)
    .getByText(/^有效期至/)
    .waitFor()

  await revokeByAccount(office)
  await page.reload()
  await profileOf(page, PHONE).getByText('已失效').waitFor()
  await expectSound(page, 'revoked')
  await page.getByRole('button', { name: '退出登录' }).click()
  await page.getByRole('heading', { name: '登录' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '登录' }).waitFor()
  expect(await clientCookies(page)).toEqual([])
})

/** Everything that an application needs stands in the file, and no password. */
function expectProfile(file: { readonly name: string; readonly text: string }, office: RecordedOffice): void {
  const { text } = file
  expect(file.name).toBe(`办公网-${LAPTOP}.ovpn`)
  const lines = text.split('\n')
  for (const line of ['client', 'setenv CLIENT_CERT 0', 'auth-nocache']) expect(lines).toContain(line)
  expect(lines.filter((line) => line.startsWith('remote '))).toEqual([
    'remote 203.0.113.11 40002 udp4',
    expect.stringMatching(/^remote 203\.0\.113\.12 \d+ udp4$/),
  ])
  expect(text).toMatch(/<ca>\n-----BEGIN CERTIFICATE-----\n[^<]+-----END CERTIFICATE-----\n<\/ca>/)
  expect(text).toMatch(/<tls-crypt>\n-----BEGIN OpenVPN Static key V1-----\n[^<]+<\/tls-crypt>/)
  const [, name, token] = /<auth-user-pass>\n(.+)\n(.+)\n<\/auth-user-pass>/.exec(text) ?? []
  expect(name).toBe(office.member.name)
  expect(token).toMatch(/^[\d~]+\.[\w-]{43}$/)
  expect(text).not.toContain(office.member.password)
}

/** A phone opens the link, of which a preview uses nothing up, and gets the file once. */
async function fetchOnce(link: string, office: RecordedOffice): Promise<void> {
  const phone = await visitor({ width: WIDTHS.phone, hasTouch: true })
  await phone.goto(link)
  await phone.reload()
  await phone.getByText(PHONE).waitFor()
  await expectSound(phone, 'phone')
  const { text } = await downloadBy(phone, () => phone.getByRole('button', { name: '下载' }).click())
  expect(text).toContain(`<auth-user-pass>\n${office.member.name}\n`)
  tolerate(/client\/p\/\S+ .*404/)
  await phone.goto(link)
  await phone.getByText(/链接/).first().waitFor()
  expect(await phone.getByRole('button', { name: '下载' }).count()).toBe(0)
  await expectSound(phone, 'phone-used')
}

/** 接入配置 at the member shows both profiles; the one that is open is revoked there. */
async function revokeByAccount({ username }: RecordedOffice): Promise<void> {
  const page = await visitor()
  await startSession(page, origin, username)
  await page.goto(paths.routers({ type: 2 }))
  await chooseInRow(page, page.getByRole('row').filter({ hasText: 'wang.fang' }), '详情')
  const drawer = page.getByRole('dialog')
  await profileOf(page, LAPTOP).getByText('已失效').waitFor()
  await profileOf(page, PHONE).getByText('有效', { exact: true }).waitFor()
  await expectConsoleSound(page, 'member-profiles')
  await drawer.getByRole('button', { name: `吊销 ${PHONE}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '吊销' }).click()
  await profileOf(page, PHONE).getByText('已失效').waitFor()
}
