import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { THEMES, WIDTHS, sideScroll, useBrowserHarness } from './browser-harness.ts'

const { visitor } = useBrowserHarness()

const VIEWS = THEMES.flatMap((theme) => ([WIDTHS.wide, WIDTHS.least] as const).map((width) => [width, theme] as const))

const server = {
  kind: 'center',
  router_name: 'NL-R220-0001',
  proto: 'udp',
  remotes: [{ host: '203.0.113.5', port: 1194 }],
  fixed: 0,
  segment: '100.64.16.0/20',
  gateway: '100.64.16.1',
  ip: '100.64.16.9',
  routes: ['192.168.10.0/24', '192.168.20.0/24'],
}
const network = (network_number: string, network_name: string, ciphers: string) => ({
  network_number,
  network_name,
  network_status: 1,
  msg: '',
  dial: { mode: 1, ciphers, dns: [], servers: [server] },
})
const profile = (profile_id: number, state: string) => ({
  profile_id,
  network_number: 'N1',
  network_name: '办公网',
  device_name: `一台名字很长的设备${profile_id}的名字`,
  create_time: 1,
  expire_time: 1_800_000_000_000,
  last_dial_time: 1_790_000_000_000,
  state,
})
const ANSWERS: Readonly<Record<string, unknown>> = {
  refresh: { router_name: 'li.na@qiming', access_token: 't', token_expire_time: 1_800, refresh_token: '' },
  profile: {
    router_name: 'li.na@qiming',
    note: '',
    phone: '',
    networks: [network('N1', '办公网', 'default'), network('N2', '一个名字特别特别长而且没有空格的组网', 'sm')],
  },
  profiles: ['valid', 'ending', 'expired', 'revoked'].map((state, n) => profile(n + 1, state)),
  profile_link: { url: 'https://console.netloom.cn/client/p/abcdefghijklmnopqrstuvwxyz', expires_in: 300 },
}

/** Answers the client API in place of the service. */
const answer = (page: Page) =>
  page.route('**/api/v1/client/*', (route) => {
    const path = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    return route.fulfill({ json: { code: 200, msg: '', data: ANSWERS[path] ?? null } })
  })

/** Violations of accessibility, and pixels that the page is too wide. */
const problems = async (page: Page, theme: (typeof THEMES)[number]) => [
  ...(await findViolations(page, theme)),
  ...((await sideScroll(page)) > 0 ? ['too wide'] : []),
]

it.each(VIEWS)('the sign-in at %i px in %s', async (width, theme) => {
  const page = await visitor({ width, theme })
  await page.goto('/client')
  await page.getByRole('heading', { name: '登录' }).waitFor()
  expect(await problems(page, theme)).toEqual([])
  for (const way of ['手机验证码', '企业账号', '密码登录']) await page.getByRole('button', { name: way }).click()
  await page.getByLabel('账号').fill('nobody@qiming01')
  await page.getByLabel('密码').fill('Weilai26')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  expect(await problems(page, theme)).toEqual([])
  const cookies = await page.context().cookies()
  expect(cookies.filter(({ name }) => name.includes('client'))).toEqual([])
})

it.each(VIEWS)('networks, profiles and the code for a phone at %i px in %s', async (width, theme) => {
  const page = await visitor({ width, theme })
  await answer(page)
  await page.goto('/client')
  await page.getByRole('heading', { name: '办公网' }).waitFor()
  await page.getByText('可访问 2 个网段').first().click()
  await page.getByRole('button', { name: /^扫码/ }).first().click()
  await page.getByRole('img', { name: '下载链接的二维码' }).waitFor()
  await page.getByRole('button', { name: /^吊销/ }).last().click()
  expect(await problems(page, theme)).toEqual([])
})
