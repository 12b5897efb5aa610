import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import { SafeHtml, sanitize } from '#ui/markdown/safe-html.tsx'
import { findOffenders } from '#tests/support/offenders.ts'

describe('HTML from the server is sanitised once more', () => {
  it('no text keeps an element, an attribute or an address that is not allowed', async () => {
    const offenders = await findOffenders([
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<p onclick="alert(1)">a</p>',
      '<a href="javascript:alert(1)">a</a>',
      '<a href="java\tscript:alert(1)">a</a>',
      '<a href="data:text/html,<script>alert(1)</script>">a</a>',
      '<a href="vbscript:x">a</a>',
      '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"></a></svg>',
      '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
      '<iframe src="/"></iframe>',
      '<object data="/"></object><embed src="/">',
      '<form action="https://a.cn"><input name="a"><button formaction="https://a.cn">a</button></form>',
      '<style>*{display:none}</style><p style="position:fixed">a</p>',
      '<link rel="stylesheet" href="https://a.cn"><meta http-equiv="refresh" content="0">',
      '<base href="https://a.cn">',
      '<img src="https://a.cn/a.png">',
      '<img src="//a.cn/a.png" srcset="https://a.cn/b.png 2x">',
      '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
      '<video src="/a"></video><audio src="/a"></audio>',
      '<template><script>alert(1)</script></template>',
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
      '<p data-x="1" aria-hidden="true">a</p>',
    ])((html) => {
      const box = document.createElement('div')
      box.innerHTML = sanitize(html)
      const tags =
        'script, svg, math, iframe, object, embed, form, input, style, link, meta, base, video, audio, template'
      expect(box.querySelectorAll(tags)).toHaveLength(0)
      const allowed =
        /^(id|class|href|target|rel|src|alt|width|height|loading|type|start|scope|tabindex|role|aria-label)$/
      const attributes = [...box.querySelectorAll('*')].flatMap((element) => [...element.attributes])
      expect(attributes.filter(({ name }) => !allowed.test(name))).toEqual([])
      const urlsOf = (wanted: string) =>
        attributes.filter(({ name }) => name === wanted).map(({ value }) => new URL(value, location.origin))
      expect(urlsOf('href').filter(({ protocol }) => !/^https?:$/.test(protocol))).toEqual([])
      expect(urlsOf('src').filter(({ origin }) => origin !== location.origin)).toEqual([])
    })
    expect(offenders).toEqual([])
  })

  it.each([
    '<h2 id="h-一">一</h2>',
    '<p><a href="/handbook?id=a#h-%E4%B8%80">a</a></p>',
    '<p><a href="https://a.cn" target="_blank" rel="noopener noreferrer nofollow">a</a></p>',
    '<p><button type="button" class="nl-markdown-image"><img src="/api/v1/document/image?key=a" alt="图" width="1" height="2" loading="lazy"></button></p>',
    '<div class="nl-markdown-table" tabindex="0" role="group" aria-label="表格"><table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></div>',
    '<ol start="3"><li>a</li></ol><pre><code>&lt;b&gt;</code></pre><blockquote><p>a<br>b</p></blockquote><hr>',
  ])('what the server writes stays: %j', (html) => expect(sanitize(html)).toBe(html))

  it('a link into another tab gives nothing away', () => {
    expect(sanitize('<a href="https://a.cn" target="_blank">a</a>')).toContain('rel="noopener noreferrer nofollow"')
  })
})

describe('a text in the page', () => {
  const open = (html: string) => {
    const router = createMemoryRouter(
      [
        { path: '/', element: <SafeHtml html={html} /> },
        { path: '*', element: <p>elsewhere</p> },
      ],
      { initialEntries: ['/'] },
    )
    render(<RouterProvider router={router} />)
    return router
  }

  it('a link to a page stays in this application, one with a key is left to the browser', async () => {
    const router = open('<p><a href="/handbook?id=b">乙</a></p>')
    addEventListener('click', (event) => event.preventDefault(), { once: true }) // jsdom cannot follow a link
    fireEvent.click(screen.getByRole('link', { name: '乙' }), { ctrlKey: true })
    expect(router.state.location.pathname).toBe('/')
    await userEvent.click(screen.getByRole('link', { name: '乙' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(router.state.location).toMatchObject({ pathname: '/handbook', search: '?id=b' })
  })

  it('a click on an image enlarges it', async () => {
    open('<p><button type="button" class="nl-markdown-image"><img src="/a.png" alt="图"></button></p>')
    await userEvent.click(screen.getByRole('button', { name: '图' }))
    await waitFor(() => expect(document.querySelector('.semi-image-preview')).not.toBeNull())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.querySelector('.semi-image-preview')).toBeNull())
  })
})
