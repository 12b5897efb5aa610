import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import config from '#infra/hosts.json'
import { failing } from '../lib/fake-api.ts'
import { as, openAt, quietPage } from './open-at.tsx'

const ANONYMOUS = { code: 2003, msg: '请先登录' }
const main = config.hosts['console.netloom.cn']
const carrier = config.hosts['qianfan.netloom.cn']

/** The brand that the Worker writes into the page of a host. */
async function openOn(
  brand: object,
  address: string,
  refresh: Parameters<typeof openAt>[1] = ANONYMOUS,
  handlers: Parameters<typeof openAt>[2] = {},
) {
  document.body.innerHTML = `<script type="application/json" id="brand">${JSON.stringify(brand)}</script>`
  const opened = await openAt(address, refresh, handlers)
  const { startBrand } = await import('#lib/session/brand.ts')
  startBrand()
  return opened
}
beforeEach(quietPage)
const footLinks = async () => {
  const foot = within(await screen.findByRole('contentinfo'))
  return foot.getAllByRole('link').map((link) => link.textContent)
}

describe('account 1 · what a host links and shows', () => {
  it('our own: terms, privacy, handbook, copyright and filing number', async () => {
    await openOn(main, '/clause')
    expect(await screen.findByText(/3 年内免费升级/)).not.toBeNull()
    expect(await footLinks()).toEqual(['服务条款', '隐私政策', '帮助手册', '开源声明', main.filing_number])
    expect(screen.queryByText(main.copyright!)).not.toBeNull()
  })

  it.each([
    ['/clause', '服务条款'],
    ['/privacy', '隐私政策'],
  ])('of a host without texts: none of it, and %s says so', async (path, title) => {
    await openOn(config.unlisted, path)
    expect(await screen.findByText(`本站未提供${title}`)).not.toBeNull()
    expect(screen.queryByText(/年内免费升级|15 天内答复/)).toBeNull()
    expect(await footLinks()).toEqual(['开源声明'])
  })

  it.each([
    ['/clause', '/legal/qianfan-clause.md'],
    ['/privacy', '/legal/qianfan-privacy.md'],
  ])('a carrier’s: %s is its own text, read from %s', async (path, file) => {
    const { api } = await openOn(carrier, path, ANONYMOUS, { [file]: () => new Response('# 一、适用范围\n\n正文') })
    expect(await screen.findByRole('heading', { level: 2, name: '一、适用范围' })).not.toBeNull()
    expect(api.paths()).toContain(file)
    expect(screen.queryByText(/年内免费升级|15 天内答复/)).toBeNull()
    expect(await footLinks()).toEqual(['服务条款', '隐私政策', '开源声明'])
  })

  it('a text that cannot be read can be tried again', async () => {
    const terms = { clause: '/legal/lost.md', privacy: '/legal/lost.md' }
    const lost = failing(new TypeError('Failed to fetch'))
    await openOn({ ...carrier, terms }, '/clause', ANONYMOUS, { '/legal/lost.md': lost })
    expect(await screen.findByRole('button', { name: '重试' })).not.toBeNull()
  })

  it('a carrier with pages of its own is linked there', async () => {
    const terms = { clause: 'https://carrier.example/terms', privacy: 'https://carrier.example/privacy' }
    await openOn({ ...carrier, terms }, '/clause')
    expect((await screen.findByRole('link', { name: terms.clause })).getAttribute('href')).toBe(terms.clause)
    const foot = within(await screen.findByRole('contentinfo'))
    expect(foot.getByRole('link', { name: '隐私政策' }).getAttribute('href')).toBe(terms.privacy)
  })
})

describe('directory 2 · facts of the legal texts', () => {
  it.each([
    ['/clause', [/3 年内免费升级/, /180 天后发出通知；满 18 个月/, /连续中断达到 72 小时的，任何一方均可终止/]],
    ['/privacy', [/15 天内答复/, /未满 18 周岁.*监护人同意/]],
  ])('%s', async (path, facts) => {
    await openOn(main, path)
    for (const fact of facts) expect(await screen.findByText(fact)).not.toBeNull()
  })
})

describe('account 2 · header of the second layout', () => {
  const header = async () => within(await screen.findByRole('banner'))
  it('a visitor: downloads, tickets, sign-in', async () => {
    await openOn(main, '/clause')
    const bar = await header()
    const links = (await bar.findAllByRole('link')).map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/', '/download', '/ticket/lists', '/login'])
  })

  it('a signed-in user sees downloads, tickets, console, nickname with its dropdown', async () => {
    await openOn(main, '/clause', as({ nickname: '张三' }))
    const bar = await header()
    expect(await bar.findByRole('button', { name: /张三/ })).not.toBeNull()
    const links = bar.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/', '/download', '/ticket/lists', '/'])
    expect(bar.getByRole('link', { name: '控制台' })).not.toBeNull()
  })
})

it('directory 2 · the menu opens the handbook in a new tab', async () => {
  await openOn(main, '/ticket/lists', as())
  const menu = within(await screen.findByRole('navigation', { name: '主菜单' }))
  const handbook = await menu.findByRole('link', { name: '帮助手册' })
  expect([handbook.getAttribute('href'), handbook.getAttribute('target')]).toEqual(['/handbook', '_blank'])
})

it('account 2 · 404 page: its text, and a button home', async () => {
  await openOn(main, '/no/such/page', as())
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).not.toBeNull()
  expect(screen.queryByText(/页面不存在/)).not.toBeNull()
  expect(screen.getByRole('button', { name: '返回首页' })).not.toBeNull()
})
