import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Arrival } from '#tests/support/fakes/arrivals.ts'
import { field, openPublicPage, useBrowserHarness } from './browser-harness.ts'
import { useOps } from './ops.ts'

// `npm start -- --fakes`: codes leave the Worker over real sockets, to servers that behave like the vendors'.

const CARRIER = {
  host: 'xingqiao.netloom.cn',
  name: '星桥云专线控制台',
  sign: '星桥云',
  from: 'no-reply@xingqiao.netloom.cn',
}
const { visitor, tolerate } = useBrowserHarness()

let npm: ChildProcess
let data = ''
let origin = ''
let fakes = ''

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'netloom-fakes-'))
  npm = spawn('npm', ['start', '--', '--fakes', '--no-demo'], {
    env: { ...process.env, NETLOOM_DATA: data, PORT: '8870' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  npm.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await vi.waitUntil(() => output.includes('Ready in'), { timeout: 110_000, interval: 200 })
  origin = (JSON.parse(readFileSync(join(data, 'running.json'), 'utf8')) as { url: string }).url
  fakes = /mails, SMS, robots +(\S+)/.exec(output)?.[1] ?? ''
})
afterAll(async () => {
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  npm.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
})

const setMode = (modes: Readonly<Record<string, string>>) =>
  fetch(`${fakes}/mode`, { method: 'POST', body: JSON.stringify(modes) })

/** The newest that arrived there for the recipient. */
async function arrival(at: string, to: string): Promise<Arrival> {
  return vi.waitUntil(
    async () => {
      const { items } = (await (await fetch(`${fakes}/arrived?at=${at}`)).json()) as { items: Arrival[] }
      return items.find((item) => item.to === to)
    },
    { timeout: 20_000 },
  )
}

const codeIn = ({ text }: Arrival): string => /\d{6}/.exec(text.replace(/SMS_\d+/, ''))?.[0] ?? ''

/** Recovers the password with the code that `read` finds. */
async function recover(username: string, way: string, read: () => Promise<Arrival>): Promise<Arrival> {
  const page = await visitor()
  const captcha = await openPublicPage(page, origin, `${origin}/reset`)
  await field(page, '用户名').fill(username)
  await field(page, '验证码').fill(captcha)
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByText(way, { exact: true }).click()
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  const arrived = await read()
  await field(page, '验证码').fill(codeIn(arrived))
  await page.getByRole('button', { name: '下一步' }).click()
  await field(page, '新密码').fill('Again2026')
  await field(page, '重复密码').fill('Again2026')
  await page.getByRole('button', { name: '重置密码' }).click()
  await page.getByText('密码已重置').waitFor()
  return arrived
}

it('a carrier’s customer gets mail and SMS under the carrier’s name only', async () => {
  const ops = useOps(origin)
  const { username, email } = await ops.newAccount({ host: CARRIER.host, phone: '13900000001' })
  const mail = await recover(username, '绑定的邮箱', () => arrival('smtp', email))
  expect(mail.detail).toMatchObject({
    from: CARRIER.from,
    sender: { name: CARRIER.name, address: CARRIER.from },
    subject: `【${CARRIER.name}】找回密码验证码`,
    isEncrypted: true,
  })
  expect(JSON.stringify([mail.text, mail.detail['html']])).not.toContain('织联')

  const other = await ops.newAccount({ host: CARRIER.host, phone: '13900000002' })
  const sms = await recover(other.username, '绑定的手机', () => arrival('aliyun-sms', '13900000002'))
  expect(sms.detail).toMatchObject({ sign: CARRIER.sign })
})

it('says so where a code cannot be sent, and sends it once it can', async () => {
  const email = `${Math.random().toString(36).slice(2, 10)}@browser.example`
  const page = await visitor()
  const captcha = await openPublicPage(page, origin, `${origin}/register`)
  await page.getByRole('tab', { name: '邮箱注册' }).click()
  await field(page, '邮箱').fill(email)
  await field(page, '图形验证码').fill(captcha)
  await setMode({ smtp: 'auth' })
  tolerate('500 (Internal Server Error)')
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByText('验证码发送失败，请稍候尝试').first().waitFor()
  await setMode({ smtp: 'ok' })
  const again = await openPublicPage(page, origin, `${origin}/register`)
  await page.getByRole('tab', { name: '邮箱注册' }).click()
  await field(page, '邮箱').fill(email)
  await field(page, '图形验证码').fill(again)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  expect(await arrival('smtp', email)).toMatchObject({ detail: { subject: '【织联】注册账号验证码' } })
})

it('the fakes show what arrived as a page', async () => {
  const page = await visitor()
  await page.goto(fakes)
  await page.getByRole('heading', { name: '外部服务（模拟）' }).waitFor()
  await expect.poll(() => page.getByText('验证码是').count()).toBeGreaterThan(0)
})
