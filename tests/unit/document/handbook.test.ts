import { describe, expect, it } from 'vitest'
import type { Input } from '#contract/kernel/endpoint.ts'
import type { handbookOps } from '#contract/ops/endpoints/handbook.ts'
import { renderHandbook } from '#domain/document/handbook.ts'
import { findOffenders } from '#tests/support/offenders.ts'

type Import = Input<typeof handbookOps.importHandbook>

const KEY = `${'a'.repeat(64)}.png`
const article = (path: string, markdown: string) => ({
  id: path.replace(/.*\/|\.md$/g, ''),
  path,
  title: `标题 ${path}`,
  markdown,
})
const handbook = (first: string, second = '## 目标 一\n\n正文'): Pick<Import, 'chapters' | 'images'> => ({
  chapters: [
    { id: 'one', title: '一', articles: [article('one/a.md', first)] },
    { id: 'two', title: '二', articles: [article('two/b.md', second)] },
  ],
  images: [{ path: 'images/a.png', key: KEY, width: 1, height: 2 }],
})
const htmlOf = (markdown: string) => {
  const rendered = renderHandbook(handbook(markdown))
  return 'params' in rendered ? rendered : rendered.get('a')?.html.trim()
}
const B = '/handbook?id=b&amp;title=%E6%A0%87%E9%A2%98%20two%2Fb.md'

describe('links and images of articles', () => {
  it.each([
    ['[x](../two/b.md)', `<p><a href="${B}">x</a></p>`],
    ['[x](./../two/b.md#目标-一)', `<p><a href="${B}#h-%E7%9B%AE%E6%A0%87-%E4%B8%80">x</a></p>`],
    ['[x](../two/b.md#%E7%9B%AE%E6%A0%87%20%E4%B8%80)', `<p><a href="${B}#h-%E7%9B%AE%E6%A0%87-%E4%B8%80">x</a></p>`],
  ])('%j', (text, html) => expect(htmlOf(text)).toBe(html))

  it('a link may name a heading of its own article', () => {
    expect(htmlOf('## 一\n\n[x](#一)')).toContain('#h-%E4%B8%80')
  })

  it('an image is served by its key, with its size', () => {
    expect(htmlOf('![x](../images/a.png)')).toContain(
      `src="/api/v1/document/image?key=${KEY}" alt="x" width="1" height="2"`,
    )
  })
})

describe('refusals of an import', () => {
  it('HTML, and links and images that lead elsewhere, each with its file and what was found', async () => {
    const offenders = await findOffenders([
      ['a <b>b</b>', 'HANDBOOK_HTML', '<b>'],
      ['[x](../two/c.md)', 'HANDBOOK_LINK', '../two/c.md'],
      ['[x](two/b.md)', 'HANDBOOK_LINK', 'two/b.md'],
      ['[x](../../two/b.md)', 'HANDBOOK_LINK', '../../two/b.md'],
      ['[x](../two/b.md#二)', 'HANDBOOK_LINK', '../two/b.md#二'],
      ['[x](#二)', 'HANDBOOK_LINK', '#二'],
      ['[x]()', 'HANDBOOK_LINK', ''],
      ['[x](http://a.cn)', 'HANDBOOK_LINK', 'http://a.cn'],
      ['[x](javascript:alert)', 'HANDBOOK_LINK', 'javascript:alert'],
      ['[x](/dashboard)', 'HANDBOOK_LINK', '/dashboard'],
      ['[x](//a.cn)', 'HANDBOOK_LINK', '//a.cn'],
      ['[x](%zz)', 'HANDBOOK_LINK', '%zz'],
      ['![x](../images/b.png)', 'HANDBOOK_IMAGE', '../images/b.png'],
      ['![x](https://a.cn/a.png)', 'HANDBOOK_IMAGE', 'https://a.cn/a.png'],
      ['![x](data:image/png;base64,AA==)', 'HANDBOOK_IMAGE', 'data:image/png;base64,AA=='],
    ])((markdown, key, found) => {
      const refused = renderHandbook(handbook(markdown))
      expect(refused).toMatchObject({ key, params: { file: 'one/a.md' } })
      expect('params' in refused && Object.values(refused.params)).toContain(found)
    })
    expect(offenders).toEqual([])
  })

  it('an id that two articles, or a chapter and an article, have', () => {
    const { chapters, images } = handbook('a')
    const twice = [...chapters, { id: 'b', title: '三', articles: [article('b/c.md', 'c')] }]
    expect(renderHandbook({ chapters: twice, images })).toMatchObject({ key: 'HANDBOOK_ID_TWICE', params: { id: 'b' } })
  })
})
