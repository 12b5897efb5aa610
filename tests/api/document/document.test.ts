import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { documentApi } from '#contract/document/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { nextAddress, selectAudit } from '#tests/support/identity.ts'
import { call, createTestWorker, refusal, request } from '#tests/support/test-worker.ts'

type Import = Input<typeof opsApi.importHandbook>
type Article = Import['chapters'][number]['articles'][number]

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)
let imports = 0
const digest = () => (++imports).toString(16).padStart(64, '0')
const article = (id: string, markdown: string, title = `标题 ${id}`): Article => ({
  id,
  path: `one/${id}.md`,
  title,
  markdown,
})
const importBook = (articles: readonly Article[], images: Import['images'] = []) =>
  call(opsApi.importHandbook, {
    digest: digest(),
    chapters: [
      { id: 'one', title: '第一章', articles: articles.slice(0, -1) },
      { id: 'two', title: '第二章', articles: articles.slice(-1) },
    ],
    images,
  })
const storeImage = async (bytes = PNG, name = 'a.png') =>
  call(opsApi.uploadHandbookImage, { file: new File([bytes], name, { type: 'image/png' }) })

const BOOK = [
  article('a', '## 一\n\n双中心点的正文，见[乙](b.md#二)。'),
  article('b', '## 二\n\n路由与 POP 资源。'),
  article('c', '最后一篇'),
]
beforeAll(() => importBook(BOOK))
afterEach(() => vi.useRealTimers())

describe('directory 3 · document/menu and document/info', () => {
  it('the tree has chapters with their articles, for whoever asks', async () => {
    const menu = await call(documentApi.menu, {})
    expect(menu).toMatchObject({ code: 200, trips: 1 })
    expect(menu.data).toEqual([
      {
        id: 'one',
        fid: '',
        title: '第一章',
        type: 1,
        children: [
          { id: 'a', fid: 'one', title: '标题 a', type: 2, children: [] },
          { id: 'b', fid: 'one', title: '标题 b', type: 2, children: [] },
        ],
      },
      {
        id: 'two',
        fid: '',
        title: '第二章',
        type: 1,
        children: [{ id: 'c', fid: 'two', title: '标题 c', type: 2, children: [] }],
      },
    ])
  })

  it('an article has its text as HTML, its headings, and the articles around it over all chapters', async () => {
    const b = await call(documentApi.info, { id: 'b' })
    expect(b).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        id: 'b',
        title: '标题 b',
        chapter: '第一章',
        content: '<h2 id="h-二">二</h2>\n<p>路由与 POP 资源。</p>\n',
        toc: [{ id: 'h-二', title: '二', level: 2 }],
        before_doc: { id: 'a', title: '标题 a' },
        after_doc: { id: 'c', title: '标题 c' },
      },
    })
    expect((await call(documentApi.info, { id: 'a' })).data).toMatchObject({ before_doc: null, after_doc: { id: 'b' } })
    expect((await call(documentApi.info, { id: 'c' })).data).toMatchObject({ before_doc: { id: 'b' }, after_doc: null })
  })

  it.each(['', 'x', 'one', '%', 'a'.repeat(64)])('no article has the id %j', async (id) => {
    expect(await call(documentApi.info, { id })).toMatchObject({ ...refusal('DOCUMENT_NOT_FOUND'), trips: 1 })
  })
})

describe('directory 2 · search of the handbook', () => {
  const search = async (q: string) => (await call(documentApi.search, { q })).data.map(({ id }) => id)

  it.each([
    ['双中心点', ['a']],
    ['点', ['a']],
    ['由', ['b']],
    ['pop', ['b']],
    ['POP 路由', ['b']],
    ['POP 双中心点', []],
    ['标题', ['a', 'b', 'c']],
    ['%', []],
    ['_', []],
    ["'", []],
    ['', []],
    ['  ', []],
  ])('%j finds %j', async (q, ids) => expect(await search(q)).toEqual(ids))

  it('answers with the text around the word, in one round trip', async () => {
    const found = await call(documentApi.search, { q: 'POP' })
    expect(found).toMatchObject({
      trips: 1,
      data: [{ title: '标题 b', chapter: '第一章', extract: '二 路由与 POP 资源。' }],
    })
  })

  it('finds the one among 200 that has the words; the title counts more than the text', async () => {
    const filler = '分支、厂区和个人终端连成一张私有网络。'.repeat(60)
    const many = Array.from({ length: 200 }, (_, i) => article(`n${i}`, `${filler}\n\n编号${i}号`))
    await importBook([...many, article('needle', `${filler}\n\n国密算法 SM4`), article('titled', filler, '国密')])
    expect(await search('国密')).toEqual(['titled', 'needle'])
    expect(await search('sm4 国密')).toEqual(['needle'])
    expect(await search('编号117号')).toEqual(['n117'])
    expect(await search('私有')).toHaveLength(HANDBOOK.foundMax)
    await importBook(BOOK)
  })
})

describe('design 5 · import of the handbook', () => {
  it('replaces all of it; what stayed the same keeps its date', async () => {
    await importBook(BOOK)
    const before = (await call(documentApi.info, { id: 'a' })).data.update_time
    const status = (await call(opsApi.handbookStatus, {})).data
    expect(status).toMatchObject({ articles: 3, digest: imports.toString(16).padStart(64, '0') })

    vi.useFakeTimers({ now: before + 60_000, toFake: ['Date'] })
    expect(await importBook([BOOK[0]!, BOOK[1]!, article('d', '新的一篇')])).toMatchObject({
      code: 200,
      msg: '保存成功',
    })
    const [a, d] = [await call(documentApi.info, { id: 'a' }), await call(documentApi.info, { id: 'd' })]
    expect(a.data.update_time).toBe(before)
    expect(d.data.update_time).toBe(before + 60_000)
    expect(await call(documentApi.info, { id: 'c' })).toMatchObject(refusal('DOCUMENT_NOT_FOUND'))
    const [audit] = await selectAudit(0)
    expect(audit).toMatchObject({ action: 'handbook/import', message: '运营导入帮助手册，共3篇文章' })
    await importBook(BOOK)
  })

  it.each([
    ['HTML', [article('a', 'a <b>b</b>'), article('b', 'b')], 'HANDBOOK_HTML'],
    ['a broken link', [article('a', '[x](z.md)'), article('b', 'b')], 'HANDBOOK_LINK'],
    ['a missing image', [article('a', '![x](../images/z.png)'), article('b', 'b')], 'HANDBOOK_IMAGE'],
    ['an id twice', [article('a', 'a'), article('a', 'b')], 'HANDBOOK_ID_TWICE'],
  ] as const)('%s is refused, and leaves the handbook as it was', async (_, articles, reason) => {
    const before = (await call(documentApi.menu, {})).data
    expect(await importBook(articles)).toMatchObject({ code: 422, reason })
    expect((await call(documentApi.menu, {})).data).toEqual(before)
  })

  it('an image that was not uploaded is refused', async () => {
    const images = [{ path: 'images/a.png', key: `${'f'.repeat(64)}.png`, width: 1, height: 1 }]
    expect(await importBook(BOOK, images)).toMatchObject(refusal('HANDBOOK_IMAGE_LOST', { path: 'images/a.png' }))
  })

  it('an import whose write fails leaves the handbook as it was', async () => {
    const failing = createTestWorker({ lostAt: { trip: 2, is: 'before' } })
    const given = { digest: digest(), images: [], chapters: [{ id: 'x', title: 'x', articles: [article('y', 'y')] }] }
    const before = (await call(documentApi.menu, {})).data
    expect((await failing.call(opsApi.importHandbook, given)).code).toBe(503)
    expect((await call(documentApi.menu, {})).data).toEqual(before)
  })
})

describe('design 5 · images of the handbook', () => {
  const put = async (id: string, bytes = PNG) => {
    const { key } = (await storeImage(bytes)).data
    const images = [{ path: 'images/a.png', key, width: 1, height: 1 }]
    return { key, answer: await importBook([article(id, '![图](../images/a.png)'), article('z', 'z')], images) }
  }

  it('are served by this host as what they are', async () => {
    const { key, answer } = await put('a')
    expect(answer.code).toBe(200)
    const response = await request(`/api/v1/document/image?key=${key}`)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toContain('inline')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
    await importBook(BOOK)
  })

  it('go with the handbook that showed them', async () => {
    const { key } = await put('a')
    await importBook(BOOK)
    expect(await call(documentApi.image, { key })).toMatchObject(refusal('FILE_NOT_FOUND'))
  })

  it.each([
    ['no image', new TextEncoder().encode('<svg onload=alert(1)>'), 'a.png', 'FILE_TYPE'],
    ['another type', Uint8Array.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0]), 'a.gif', 'FILE_TYPE'],
    ['nothing', new Uint8Array(), 'a.png', 'FILE_EMPTY'],
  ] as const)('%s is refused', async (_, bytes, name, reason) => {
    expect(await storeImage(Uint8Array.from(bytes), name)).toMatchObject({ code: 422, reason })
  })

  it('one that is too large is refused', async () => {
    const bytes = new Uint8Array(HANDBOOK.imageMaxBytes + 1)
    bytes.set(PNG)
    expect((await storeImage(bytes)).code).toBe(422)
  })

  it.each(['', 'x', '../announcements/a.png', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.svg`])(
    'no image has the key %j',
    async (key) => expect(await call(documentApi.image, { key })).toMatchObject(refusal('FILE_NOT_FOUND')),
  )
})

describe('design 7 · hosts with a handbook', () => {
  /** Local runs answer to local hosts alone. */
  const deployed = createTestWorker({ env: { ENVIRONMENT: 'production' } })
  const PATHS = ['menu', 'info?id=a', 'search?q=a', `image?key=${'0'.repeat(64)}.png`]

  it.each(['console.netloom.cn', 'localhost'])('%s has one', async (host) => {
    const response = await deployed.request(`//${host}/api/v1/document/menu`)
    expect(await response.json()).toMatchObject({ code: 200 })
  })

  it.each(['xingqiao.netloom.cn', 'qianfan.netloom.cn', 'lantu.netloom.cn', 'other.example'])(
    '%s has none: its paths are unknown',
    async (host) => {
      for (const path of PATHS) {
        const response = await deployed.request(`//${host}/api/v1/document/${path}`)
        expect([response.status, await response.json()]).toMatchObject([404, refusal('PATH_UNKNOWN')])
      }
    },
  )
})

describe('design 4 · reads of the handbook are limited by address', () => {
  it('one address may read so often a minute, another still may', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const ip = nextAddress()
    const codes = new Set<number>()
    for (let read = 0; read < HANDBOOK.rate.limit; read++)
      codes.add((await call(documentApi.info, { id: 'a' }, { ip })).code)
    expect(codes).toEqual(new Set([200]))
    expect(await call(documentApi.search, { q: 'a' }, { ip })).toMatchObject({ code: 429, reason: 'TOO_OFTEN' })
    expect(await call(documentApi.menu, {}, { ip: nextAddress() })).toMatchObject({ code: 200 })
  })
})
