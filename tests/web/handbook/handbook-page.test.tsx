import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HandbookPage } from '#pages/handbook/handbook-page.tsx'
import { openPage } from '../network/open-page.tsx'

const leaf = (id: string) => ({ id, fid: 'one', title: `标题${id}`, type: 2, children: [] })
const MENU = { data: [{ id: 'one', fid: '', title: '第一章', type: 1, children: [leaf('a'), leaf('b'), leaf('c')] }] }
const AT = Date.parse('2026-11-20T02:00:00Z')
const ARTICLES: Record<string, object> = {
  a: { content: '<h2 id="h-一">一</h2><p>甲文</p><h2 id="h-二">二</h2>', before_doc: null, after_doc: leaf('b') },
  b: { content: '<p>乙文 <a href="/handbook?id=a#h-二">见甲</a></p>', before_doc: leaf('a'), after_doc: leaf('c') },
}
const info = ({ input }: { readonly input: Record<string, unknown> }) => {
  const id = String(input['id'])
  const article = ARTICLES[id]
  if (article === undefined) return { code: 204, msg: '文章不存在或已被移除，请从目录中选择' }
  const toc = id === 'a' ? ['一', '二'].map((title) => ({ id: `h-${title}`, title, level: 2 })) : []
  return { data: { id, title: `标题${id}`, chapter: '第一章', toc, update_time: AT, ...article } }
}
const open = (address: string, handlers: Parameters<typeof openPage>[2] = {}) =>
  openPage(<HandbookPage />, address, { 'document/menu': MENU, 'document/info': info, ...handlers })

let isWide = true
const scrolled = vi.fn<(id: string) => void>()
beforeEach(() => {
  isWide = true
  scrolled.mockClear()
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }))
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled(this.id)
  }
})

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const address = ({ router }: ReturnType<typeof open>) =>
  decodeURIComponent(router.state.location.search + router.state.location.hash)

describe('directory 2 · handbook', () => {
  it('without an article it shows the first; the address keeps id and title', async () => {
    const page = open('/handbook')
    await heading('标题a')
    expect(screen.getByText('甲文')).not.toBeNull()
    expect(address(page)).toBe('?id=a&title=标题a')
    const tree = within(screen.getByRole('navigation', { name: '手册目录' }))
    expect(tree.getByRole('link', { name: '标题a' }).getAttribute('aria-current')).toBe('page')
    expect(screen.getByText('2026-11-20 10:00:00')).not.toBeNull()
  })

  it('a title that is not the article’s is corrected', async () => {
    const page = open('/handbook?id=a&title=旧')
    await heading('标题a')
    await waitFor(() => expect(address(page)).toBe('?id=a&title=标题a'))
  })

  it('tree, previous and next, and links in the text lead from article to article', async () => {
    const page = open('/handbook?id=a')
    await userEvent.click(await screen.findByRole('link', { name: /^下一篇 ?标题b$/ }))
    await heading('标题b')
    expect(address(page)).toBe('?id=b&title=标题b')
    await userEvent.click(screen.getByRole('link', { name: '见甲' }))
    await heading('标题a')
    await waitFor(() => expect(address(page)).toBe('?id=a&title=标题a#h-二'))
    expect(scrolled).toHaveBeenCalledWith('h-二')
    await userEvent.click(screen.getByRole('link', { name: '标题b', current: false }))
    await heading('标题b')
  })

  it('the table of contents scrolls to a heading', async () => {
    const page = open('/handbook?id=a')
    const toc = within(await screen.findByRole('navigation', { name: '本文目录' }))
    await userEvent.click(toc.getByRole('link', { name: '二' }))
    expect(scrolled).toHaveBeenCalledWith('h-二')
    expect(decodeURIComponent(address(page))).toContain('#h-二')
    expect(toc.getByRole('link', { name: '二' }).getAttribute('aria-current')).toBe('location')
  })

  it('an article that does not exist leads back to the first', async () => {
    open('/handbook?id=z')
    expect(await screen.findByText('文章不存在或已被移除，请从目录中选择')).not.toBeNull()
    await userEvent.click(screen.getByRole('link', { name: '返回手册首页' }))
    await heading('标题a')
  })

  it('a failed article is asked for again', async () => {
    const { api } = open('/handbook?id=a', { 'document/info': { code: 500, msg: '系统异常,请稍候尝试!' } })
    const retry = await screen.findByRole('button', { name: '重试' })
    api.set('document/info', info)
    await userEvent.click(retry)
    await heading('标题a')
  })

  it('a failed tree is asked for again, beside the article', async () => {
    const { api } = open('/handbook?id=a', { 'document/menu': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await heading('标题a')
    api.set('document/menu', MENU)
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByRole('navigation', { name: '手册目录' })).not.toBeNull()
  })

  it('a handbook without articles says so', async () => {
    open('/handbook', { 'document/menu': { data: [] } })
    expect(await screen.findByText('手册暂无内容')).not.toBeNull()
  })

  it('a host without a handbook has no such page', async () => {
    const unknown = { code: 404, msg: '请求的接口不存在' }
    const page = open('/handbook', { 'document/menu': unknown, 'document/info': unknown })
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(page.router.state.location.pathname).toBe('/404/index')
  })
})

describe('directory 2 · search of the handbook', () => {
  const found = (data: unknown[]) => ({ 'document/search': { data } })
  const hit = { id: 'b', title: '接入POP', chapter: '第一章', extract: '<b>POP</b> 资源 pop' }
  const search = async (text: string) =>
    userEvent.type(await screen.findByRole('textbox', { name: '搜索手册' }), `${text}{Enter}`)

  it('marks the words in titles and extracts, which are text; a result stays beside its list', async () => {
    const { api } = open('/handbook?id=a', found([hit]))
    await search('pop')
    expect(await screen.findByText('找到1篇文章')).not.toBeNull()
    expect(api.last('document/search')?.input).toEqual({ q: 'pop' })
    const link = screen.getByText('资源', { exact: false, selector: 'a span' }).closest('a')!
    expect([...link.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['POP', 'POP', 'pop'])
    expect(link.querySelector('b')).toBeNull()
    expect(link.textContent).toContain('<b>POP</b>')
    await userEvent.click(link)
    await heading('标题b')
    expect(screen.getByText('找到1篇文章')).not.toBeNull()
  })

  it('nothing found says so, and leads back to the tree', async () => {
    open('/handbook?id=a', found([]))
    await search('无此词')
    expect(await screen.findByText('没有找到包含“无此词”的文章')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '清除搜索' }))
    expect(await screen.findByRole('navigation', { name: '手册目录' })).not.toBeNull()
  })

  it('a failed search is asked for again', async () => {
    const { api } = open('/handbook?id=a', { 'document/search': { code: 429, msg: '操作过于频繁，请9秒后重试' } })
    await search('pop')
    expect(await screen.findByText('操作过于频繁，请9秒后重试')).not.toBeNull()
    api.set('document/search', { data: [hit] })
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await screen.findByText('找到1篇文章')).not.toBeNull()
  })
})

it('account 2 · below 992 px tree and search are in a drawer, which closes with the choice', async () => {
  isWide = false
  open('/handbook?id=a')
  await heading('标题a')
  expect(screen.queryByRole('navigation', { name: '手册目录' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '目录与搜索' }))
  const drawer = within(await screen.findByRole('dialog', { name: '帮助手册' }))
  await userEvent.click(drawer.getByRole('link', { name: '标题b' }))
  await heading('标题b')
  expect(screen.queryByRole('dialog')).toBeNull()
})
