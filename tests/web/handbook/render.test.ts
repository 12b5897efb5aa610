import { describe, expect, it } from 'vitest'
import { findHtml, readMarkdown, renderArticle, toPlainText } from '#domain/document/render.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const TARGETS = {
  link: (href: string) => (/^(https:\/\/|\/handbook)/.test(href) ? href : null),
  image: (href: string) => (href === 'a.png' ? { src: '/api/v1/document/image?key=a', width: 10, height: 20 } : null),
}
const render = (text: string) => renderArticle(readMarkdown(text), TARGETS)
const html = (text: string) => render(text).html.trim()
function show(text: string): HTMLElement {
  const box = document.createElement('div')
  box.innerHTML = html(text)
  return box
}
/** Every attribute below an element. */
const listAttributes = (box: Element) => [...box.querySelectorAll('*')].flatMap((element) => [...element.attributes])

describe("HTML of an article's Markdown", () => {
  it.each([
    ['## 创建组网', '<h2 id="h-创建组网">创建组网</h2>'],
    ['# 一', '<h2 id="h-一">一</h2>'],
    ['> ## 引用\n\n## 正文', '<blockquote>\n<h2>引用</h2>\n</blockquote>\n<h2 id="h-正文">正文</h2>'],
    ['### ge 与 le', '<h3 id="h-ge-与-le">ge 与 le</h3>'],
    ['a **b** _c_ `d`', '<p>a <strong>b</strong> <em>c</em> <code>d</code></p>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['```sh\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
    [
      '[站点](https://a.cn)',
      '<p><a href="https://a.cn" target="_blank" rel="noopener noreferrer nofollow">站点</a></p>',
    ],
    ['[文章](/handbook?id=a)', '<p><a href="/handbook?id=a">文章</a></p>'],
    [
      '![图](a.png)',
      '<p><button type="button" class="nl-markdown-image"><img src="/api/v1/document/image?key=a" alt="图" width="10" height="20" loading="lazy"></button></p>',
    ],
    ['![图](b.png)', '<p>图</p>'],
    ['<接口> 与 a < b', '<p>&lt;接口&gt; 与 a &lt; b</p>'],
  ])('%j', (text, expected) => expect(html(text)).toBe(expected))

  it('a table scrolls by itself and names its head cells', () => {
    const table = show('| 项 | 值 |\n|---|---|\n| a | **b** |')
    expect(table.querySelector('div[role="group"] th')?.getAttribute('scope')).toBe('col')
    expect(table.querySelector('td strong')?.textContent).toBe('b')
  })

  it('the table of contents lists headings of level 2 and 3; equal ones get numbers', () => {
    expect(render('## 设置\n\n### 设置\n\n#### 深\n\n## 检查 `结果`').toc).toEqual([
      { id: 'h-设置', title: '设置', level: 2 },
      { id: 'h-设置-2', title: '设置', level: 3 },
      { id: 'h-检查-结果', title: '检查 结果', level: 2 },
    ])
  })

  it('a search looks through words without marks', () => {
    const text = '## 一\n\na **b**[c](https://a.cn)\n\n- d\n- `e`\n\n| f | g |\n|---|---|\n| h | i |\n\n![图](a.png)'
    expect(toPlainText(readMarkdown(text))).toBe('一 a bc d e f g h i')
  })
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<script> < img src=x onerror=alert(1)> </script>',
  '<pre><img src=x onerror=alert(1)></pre>',
  'a <b onclick="alert(1)">b</b>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{}</style><math><mtext></math>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?php echo 1 ?><img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](https://a.cn/"onmouseover="alert(1))',
  "[x](https://a.cn/'onmouseover='alert(1))",
  '[<img src=x onerror=alert(1)>](https://a.cn)',
  '![x"onerror="alert(1)](a.png)',
  '![<script>alert(1)</script>](b.png)',
  '![x](javascript:alert(1))',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '## <img src=x onerror=alert(1)>',
  '## "onmouseover="alert(1)',
  '```"><script>alert(1)</script>\n<script>\n```',
  '`<script>alert(1)</script>`',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '> <script>alert(1)</script>',
  '- <script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
]

describe('HTML and scripts of an article are shown as typed, or dropped', () => {
  it('no text becomes an element, a handler or a foreign address', async () => {
    const offenders = await findOffenders(HOSTILE)((text) => {
      const shown = show(text)
      expect(shown.querySelectorAll('script, style, iframe, svg, math, b, object')).toHaveLength(0)
      const attributes = listAttributes(shown)
      expect(attributes.filter(({ name }) => /^on|^style$/.test(name))).toEqual([])
      const valuesOf = (wanted: string) => attributes.filter(({ name }) => name === wanted).map(({ value }) => value)
      expect(valuesOf('href').filter((href) => !href.startsWith('https://a.cn'))).toEqual([])
      expect(valuesOf('src').filter((src) => src !== '/api/v1/document/image?key=a')).toEqual([])
    })
    expect(offenders).toEqual([])
  })
})

describe('raw HTML is found, so that an import refuses it', () => {
  it.each([
    ['a <b>b</b>', '<b>'],
    ['<div>\na\n</div>', '<div>\na\n</div>'],
    ['a\n\n<!-- b -->', '<!-- b -->'],
    ['`<b>` and <接口> and a < b > c', null],
    ['```\n<script>\n```', null],
    ['<https://a.cn>', null],
  ])('%j', (text, found) => expect(findHtml(text)).toBe(found))
})
