import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { viewerFrame } from '#contract/kernel/protocol.ts'
import { parseDefaultRoute, parseNetDev } from '#infra/agent/machine/linux.ts'
import { chooseFromMenu, chooseMember, field, recordFrames, signIn, useBrowserHarness } from '../browser-harness.ts'

const { origin, visitor } = useBrowserHarness()
const POINTS = ['北京分公司', '广州分公司'] as const
const SERIALS = ['NL80C001', 'NL22P001', 'NL22P002'] as const
let stopTraffic = () => {}
afterEach(() => stopTraffic())

it('main flow: sign in, create, watch, open a router, rename, delete, sign out', async () => {
  const page = await visitor({ hasMotion: true })
  const frames = recordFrames(page)
  await signIn(page, origin, 'demo01')
  await checkDashboard(page)

  const name = `浏览器验收${Math.random().toString(36).slice(2, 6)}`
  await createNetwork(page, name)
  await checkRollout(page, frames)
  await checkGraphAndTable(page)
  const address = page.url()
  await checkRouter(page, frames)

  await page.goto(address)
  await chooseFromMenu(page, name, '重命名')
  await field(page, '组网名称').fill(`${name}改`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `${name}改` }).waitFor()

  await chooseFromMenu(page, `${name}改`, '删除')
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: '删除组网' })
  await dialog.getByRole('textbox').fill(name)
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill(`${name}改`)
  await confirm.click()
  await page.waitForURL('**/network/lists')
  await page.getByRole('link', { name: '总部与分支互联', exact: true }).waitFor()
  await expect.poll(() => page.getByText(`${name}改`, { exact: true }).count()).toBe(0)

  await page.getByRole('button', { name: '启明智造' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '退出登录' }).click()
  await page.waitForURL('**/login')
  expect(new URL(page.url()).search).toBe('')
})

async function checkDashboard(page: Page): Promise<void> {
  const members = page.locator('section').filter({ has: page.getByRole('heading', { name: '成员', exact: true }) })
  await expect.poll(() => members.innerText()).toMatch(/硬件成员在线\s*40\s*\/\s*41/)
  const online = (network: string) => page.getByRole('row', { name: network }).getByRole('cell').nth(2)
  // the hardware, and software members as they dial in and out
  await expect.poll(() => online('总部与分支互联').innerText()).toMatch(/^([7-9]|10)\/11\b/)
  await expect.poll(() => online('全国门店收银网').innerText()).toMatch(/^(3[5-9]|40)\/40\b/)
}

async function createNetwork(page: Page, name: string): Promise<void> {
  await page.goto('/network/lists')
  await page.getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/create')
  await page.getByRole('table', { name: '成员' }).waitFor()
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.getByText('请输入组网名称').waitFor()
  await field(page, '组网名称').fill(name)
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.getByText('请选择网络成员').waitFor()

  await chooseMember(page, '上海总部机房', '中心点')
  for (const note of POINTS) await chooseMember(page, note)
  await page.getByText('已选 3 · 中心点 1/2').waitFor()
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/detail?*')
  await page.getByRole('heading', { name }).waitFor()
}

/** The page shows 已生效, and so do the frames of each device; 下发中 is in none where it is over within their interval. */
async function checkRollout(page: Page, frames: readonly string[]): Promise<void> {
  await page.getByText('已保存，3 台设备已全部生效').waitFor()
  const states = (serial: string) =>
    frames.flatMap((text) => {
      const frame = viewerFrame.safeParse(JSON.parse(text)).data
      const members = frame?.type === 'routers' ? frame.data : frame?.type === 'delta' ? frame.data.members : []
      return members.filter(({ router_name }) => router_name === serial).map(({ config }) => config.state as string)
    })
  for (const serial of SERIALS) await expect.poll(() => states(serial).at(-1)).toBe('applied')
  for (const state of SERIALS.flatMap(states)) expect(['pushing', 'applied']).toContain(state)
}

async function checkGraphAndTable(page: Page): Promise<void> {
  const boxes = page.locator('.x6-node .nl-node-title')
  await expect.poll(() => boxes.allTextContents()).toEqual(expect.arrayContaining(['上海总部机房', ...POINTS]))
  expect(await boxes.count()).toBe(3)
  await page.locator('.nl-trunk.nl-edge-up').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.nl-trunk-label').allTextContents()).toEqual(['2/2'])
  const subs = await page.locator('.x6-node .nl-node-sub').allTextContents()
  for (const sub of subs) expect(sub).toMatch(/^100\.\d+\.\d+\.\d+$/)

  await page.getByRole('button', { name: '成员', exact: true }).click()
  for (const serial of SERIALS) {
    const row = page.getByRole('row').filter({ hasText: serial })
    await row.getByText('在线', { exact: true }).waitFor()
    await row.getByText('已生效', { exact: true }).waitFor()
  }
}

/** A real agent on this machine: its samples must add up to what the kernel has counted, and its chart says the newest. */
async function checkRouter(page: Page, frames: readonly string[]): Promise<void> {
  const name = parseDefaultRoute(readFileSync('/proc/net/route', 'utf8'))
  await page.goto('/router/detail?router_name=NL80C001')
  await page.getByRole('heading', { name: '上海总部机房' }).waitFor()
  await checkRanges(page)
  if (name === null) return // a machine without a way out has no interface to compare
  await page
    .getByRole('group', { name: `${name} 接口设置` })
    .getByText('连通')
    .waitFor()
  const chart = page.locator('figure').filter({ hasText: `${name}（WAN）` })
  await chart.scrollIntoViewIfNeeded() // below a centre's links; out of sight it is not drawn
  const up = chart.locator('.nl-chart-line').filter({ hasText: '上行' }).locator('b').first()
  const shown = async () => Number((await up.innerText()).replace('<', '')) * 1e6 // Mbit/s
  const samples = () =>
    frames.flatMap((text) => {
      const frame = viewerFrame.safeParse(JSON.parse(text)).data
      return frame?.type === 'interface' && frame.data[name] ? [frame.data[name]] : []
    })
  await expect.poll(() => samples().length).toBeGreaterThan(0)
  const [first, before] = [samples().length, sentBytes(name)]
  stopTraffic = sendTraffic(readGateway(name))
  await expect.poll(shown).toBeGreaterThan(500_000)
  await expect.poll(async () => Math.abs((await shown()) - samples().at(-1)!.upload)).toBeLessThan(10_000) // as it is rounded
  await expect.poll(() => samples().length).toBeGreaterThan(first + 5)
  stopTraffic()
  await expect.poll(shown).toBeLessThan(500_000)
  const counted = sentBytes(name) - before
  const drawn = samples()
    .slice(first)
    .reduce((sum, { upload, time }, i) => sum + (upload * (time - samples()[first + i - 1]!.time)) / 8_000, 0)
  expect(drawn / counted).toSatisfy((is: number) => is > 0.8 && is < 1.25)
}

/** Checks the agent's traffic stored by the hub, over each range; the address keeps the range. */
async function checkRanges(page: Page): Promise<void> {
  const range = page.getByRole('group', { name: '时间范围' })
  const shown = page.locator('section').filter({ has: page.getByRole('heading', { name: '接口设置与流量' }) })
  for (const [name, resolution, value] of [
    ['1 小时', '每分钟平均', 'hour'],
    ['24 小时', '5 分钟平均', 'day'],
    ['7 天', '每小时平均，峰值按 5 分钟平均', 'week'],
    ['30 天', '每 2 小时平均，峰值按 5 分钟平均', 'month'],
  ] as const) {
    const reply = page.waitForResponse((one) => one.url().includes(`range=${value}`))
    await range.getByText(name, { exact: true }).click()
    expect(await (await reply).json()).toMatchObject({ code: 200 })
    await shown.getByText(resolution, { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe(value)
  }
  await page.reload()
  await shown.getByText('每 2 小时平均，峰值按 5 分钟平均', { exact: true }).waitFor()
  await expect.poll(() => shown.locator('.nl-chart-times').first().innerText()).toMatch(/^\d\d-\d\d\s/)
  await range.getByText('实时', { exact: true }).click()
  await shown.getByText('最近 40 秒，每秒一次', { exact: true }).waitFor()
}

const sentBytes = (name: string): number => parseNetDev(readFileSync('/proc/net/dev', 'utf8'))[name]?.tx ?? 0

/** About 1.6 Mbit/s of datagrams nobody listens for, to the first hop. */
function sendTraffic(host: string): () => void {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  const packet = Buffer.alloc(1_000)
  const timer = setInterval(() => {
    for (let i = 0; i < 10; i++) socket.send(packet, 9, host)
  }, 50)
  let isOpen = true
  return () => {
    clearInterval(timer)
    if (isOpen) socket.close()
    isOpen = false
  }
}

/** /proc/net/route: addresses are little-endian hexadecimal. */
function readGateway(name: string): string {
  const line = readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .map((text) => text.split('\t'))
    .find(([device, destination]) => device === name && destination === '00000000')
  const hex = line?.[2] ?? '0100007F'
  return [6, 4, 2, 0].map((at) => parseInt(hex.slice(at, at + 2), 16)).join('.')
}
