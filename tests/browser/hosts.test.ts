import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import config from '#infra/hosts.json' with { type: 'json' }
import { useBrowserHarness } from './browser-harness.ts'

const PORT = 8861
const NAMES = [...Object.keys(config.hosts), 'localhost', 'other.example']
const addressOf = (host: string) => `http://${host}:${PORT}`
const { visitor, tolerate } = useBrowserHarness(
  `--host-resolver-rules=${NAMES.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`,
  `--unsafely-treat-insecure-origin-as-secure=${NAMES.map(addressOf).join(',')}`,
)

/** A console that answers to any name, which the one of the other tests does not. */
const data = mkdtempSync(join(tmpdir(), 'netloom-hosts-'))
let stop = async () => {}
let output = ''
beforeAll(async () => {
  const child = spawn(process.execPath, ['infra/start.ts', '--no-demo'], {
    env: { ...process.env, NETLOOM_DATA: data, HOST: '0.0.0.0', PORT: String(PORT) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await vi.waitUntil(() => output.includes('Ready in'), { timeout: 120_000 })
})
afterAll(() => stop())

const listed = new Map(Object.entries({ ...config.hosts, localhost: config.hosts['console.netloom.cn'] }))
const OURS = ['服务条款', '隐私政策', '帮助手册', '开源声明']

type HostBrand = (typeof config.hosts)[keyof typeof config.hosts] | typeof config.unlisted

/** Texts of a host's legal pages: the console's own, those of its files, or that there are none. */
function legalMarks({ terms }: HostBrand) {
  if (terms === null) return { clause: '本站未提供服务条款', privacy: '本站未提供隐私政策', links: [], agreed: [] }
  const isOwn = terms.clause === 'console'
  return {
    clause: isOwn ? '3 年内免费升级' : /^一、/,
    privacy: isOwn ? /15 天内答复/ : /^一、/,
    links: ['服务条款', '隐私政策'],
    agreed: ['《服务条款》', '《隐私政策》'],
  }
}

it('the start prints the local address of each brand', () => {
  const local = Object.keys(config.hosts).map((host) => `http://${host.split('.')[0]}.localhost:${PORT}`)
  expect(local.filter((address) => !output.includes(address))).toEqual([])
})

describe('account 1 · pages of each host', () => {
  it.each(NAMES)('%s', async (host) => {
    const brand = listed.get(host) ?? config.unlisted
    const page = await visitor()
    await page.goto(`${addressOf(host)}/clause`)
    await page.getByRole('heading', { level: 1, name: '服务条款' }).waitFor()
    expect(await page.title()).toBe(`服务条款 - ${brand.title}`)

    const mark = page.getByRole('banner').getByRole('link', { name: brand.name ?? brand.title })
    await mark.waitFor()
    const logos = await mark.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('src')))
    expect(logos).toEqual(brand.logo === '' ? [] : [brand.logo])
    const foot = page.getByRole('contentinfo')
    const legal = legalMarks(brand)
    expect(await foot.getByRole('link').allTextContents()).toEqual(
      brand.handbook ? [...OURS, brand.filing_number] : [...legal.links, '开源声明'],
    )
    expect(await foot.getByText('©').allTextContents()).toEqual(brand.copyright === null ? [] : [brand.copyright])

    await page.getByText(legal.clause).first().waitFor()
    const text = (await page.getByRole('main').textContent()) ?? ''
    expect(text.includes('3 年内免费升级')).toBe(legal.clause === '3 年内免费升级')
    expect(text.includes('本站未提供服务条款')).toBe(brand.terms === null)
    const others = Object.values(config.hosts).flatMap(({ name }) =>
      name === null || name === brand.name ? [] : [name],
    )
    const whole = (await page.locator('body').textContent()) ?? ''
    expect(others.filter((name) => whole.replace(brand.copyright ?? '', '').includes(name))).toEqual([])
    const head = page.getByRole('banner').getByRole('link')
    const links = await head.evaluateAll((found) => found.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['/', '/download', '/ticket/lists', '/login'])

    await page.goto(`${addressOf(host)}/privacy`)
    await page.getByText(legal.privacy).first().waitFor()

    await page.goto(`${addressOf(host)}/register`)
    await page.getByRole('button', { name: '注册' }).waitFor()
    expect(await page.getByText('我已阅读并同意').count()).toBe(Math.min(1, legal.agreed.length))
    expect(await page.title()).toBe(`注册 - ${brand.title}`)
    const agreed = page.getByRole('main').getByRole('link', { name: /^《/ })
    expect(await agreed.allTextContents()).toEqual(legal.agreed)
    for (const address of await agreed.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))) {
      const opened = await visitor()
      await opened.goto(address)
      await opened.getByRole('heading', { level: 2 }).first().waitFor()
      await opened.close()
    }

    // Without a handbook the path is unknown to the host: a visitor is led to the sign-in, as from any other.
    if (!brand.handbook) tolerate('/handbook Failed to load resource')
    await page.goto(`${addressOf(host)}/handbook`)
    await (brand.handbook ? page.getByText('手册暂无内容').waitFor() : page.waitForURL('**/login*'))
  })
})
