import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { toImageSource, toLinkTarget } from '#ui/markdown/address.ts'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { findOffenders } from '#tests/support/offenders.ts'

const show = (text: string) =>
  render(
    <RouterProvider router={createMemoryRouter([{ path: '/', element: <Markdown text={text} /> }])} />,
  ).container.querySelector('.nl-markdown')!

const ORIGIN = 'https://console.test'

describe('HTML of Markdown', () => {
  it.each([
    ['# 一', '<h2>一</h2>'],
    ['# 一\n\n###### 六', '<h2>一</h2><h6>六</h6>'],
    ['## 二\n\n### 三', '<h2>二</h2><h3>三</h3>'],
    ['a **b** _c_ ~~d~~ `e`', '<p>a <strong>b</strong> <em>c</em> <del>d</del> <code>e</code></p>'],
    ['> 引用', '<blockquote><p>引用</p></blockquote>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['- [x] a\n- [ ] b', '<ul><li>☑ a</li><li>☐ b</li></ul>'],
    ['```\n<b>\n```', '<pre><code>&lt;b&gt;</code></pre>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['---', '<hr>'],
    ['\\*a\\*', '<p>*a*</p>'],
    ['[x]: /a\n\n[页面][x]', '<p><a href="/a" data-discover="true">页面</a></p>'],
  ])('%j', (text, html) => {
    expect(show(text).innerHTML).toBe(html)
  })

  it('a table', () => {
    show('| 地域 | 时间 |\n|---|---|\n| 上海 | **今晚** |')
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['地域', '时间'])
    expect(screen.getByRole('cell', { name: '今晚' }).innerHTML).toBe('<strong>今晚</strong>')
  })

  it('links of other sites open in a tab of their own', () => {
    const link = show('[站点](https://example.com/a)').querySelector('a')!
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer nofollow'])
  })
})

describe('HTML and scripts in a text are shown as typed, or dropped', () => {
  it('no text becomes an element, a handler or a foreign address', async () => {
    const offenders = await findOffenders([
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      'a <b onclick="alert(1)">b</b>',
      '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
      '<svg/onload=alert(1)>',
      '[x](javascript:alert(1))',
      '[x](JaVaScRiPt:alert(1))',
      '[x](java\nscript:alert(1))',
      '[x](&#106;avascript:alert(1))',
      '[x](\u0001javascript:alert(1))',
      '[x](data:text/html,<script>alert(1)</script>)',
      '[x](vbscript:msgbox(1))',
      '[x](file:///etc/passwd)',
      '![x](javascript:alert(1))',
      '![x](data:image/svg+xml,<svg onload=alert(1)>)',
      '![x"onerror="alert(1)](/a.png)',
      '<javascript:alert(1)>',
      '[x]: javascript:alert(1)\n\n[x]',
      '```"><script>alert(1)</script>\n```',
      '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
    ])((text) => {
      const shown = show(text)
      expect(shown.querySelectorAll('script, iframe, svg, object, embed, [onerror], [onclick], [onload]')).toHaveLength(
        0,
      )
      for (const link of shown.querySelectorAll('a'))
        expect(['https:', 'http:', 'mailto:', 'tel:']).toContain(new URL(link.href).protocol)
      for (const image of shown.querySelectorAll('img')) expect(new URL(image.src).origin).toBe(location.origin)
    })
    expect(offenders).toEqual([])
  })
})

describe('addresses in a text', () => {
  it.each([
    ['/network/lists?a=1#b', { path: '/network/lists?a=1#b' }],
    [`${ORIGIN}/a`, { path: '/a' }],
    ['https://example.com/a', { url: 'https://example.com/a' }],
    ['//example.com/a', { url: 'https://example.com/a' }],
    ['mailto:a@b.cn', { url: 'mailto:a@b.cn' }],
    ['javascript:alert(1)', null],
    [' \tjavascript:alert(1)', null],
    ['blob:https://console.test/x', null],
    ['http://[', null],
  ])('link %j', (href, target) => expect(toLinkTarget(href, ORIGIN)).toEqual(target))

  it.each([
    ['/api/v1/announcements/image?key=a', '/api/v1/announcements/image?key=a'],
    ['https://example.com/a.png', null],
    ['//example.com/a.png', null],
    ['data:image/png;base64,AA==', null],
  ])('image %j', (href, src) => expect(toImageSource(href, ORIGIN)).toBe(src))
})
