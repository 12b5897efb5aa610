import { describe, expect, it } from 'vitest'
import config from '#infra/hosts.json' with { type: 'json' }
import { type ChosenTheme, type PageStart, renderOutline, toChosenTheme, toPageStart } from '#domain/site/outline.ts'
import { toBrand } from '#domain/site/brand.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const MAX_BYTES = 4_096
const FRAMES = ['form', 'plain', 'console'] as const
const HOSTS = [...Object.keys(config.hosts), 'other.example']
const render = (frame: PageStart['frame'], host = 'localhost', theme: ChosenTheme = null) =>
  renderOutline({ frame, chunks: null }, toBrand(host), theme)

describe('account 1 · outline of a page', () => {
  it('has at most 4 kB on every host, style and markup alone, and asks no other host', async () => {
    const rows = HOSTS.flatMap((host) => FRAMES.map((frame) => [host, frame] as const))
    const offenders = await findOffenders(rows)((host, frame) => {
      const html = render(frame, host)
      expect(new TextEncoder().encode(html).length).toBeLessThanOrEqual(MAX_BYTES)
      expect(html).not.toMatch(/<script|\son\w+=|https?:|\/\/|@import|url\(/)
      const { logo, title } = toBrand(host)
      expect(html).toContain(logo === '' ? title : `src="${logo}"`)
    })
    expect(offenders).toEqual([])
  })

  it('has no landmark, so that the page keeps one of each', () => {
    expect(FRAMES.map((frame) => render(frame)).join('')).not.toMatch(/<(main|header|aside|nav|footer|h\d|a|button)\b/)
  })

  it('is hidden from screen readers, and nothing at all for a page that draws its own frame', () => {
    expect(render('console')).toContain('<div id="outline" class="console" aria-hidden="true">')
    expect(render(null)).toBe('')
  })

  it('follows the theme that the person has chosen, else the device', () => {
    const { logo, logo_dark: dark } = toBrand('localhost')
    expect(render('form', 'localhost', 'dark')).toContain('class="form dark"')
    expect(render('form', 'localhost', 'dark')).toContain(`<picture><img src="${dark}"`)
    expect(render('form', 'localhost', 'light')).toContain(`<picture><img src="${logo}"`)
    expect(render('form')).toContain(`<source media="(prefers-color-scheme:dark)" srcset="${dark}"><img src="${logo}"`)
    expect(['dark', 'light', 'system', '"><b>', undefined].map(toChosenTheme)).toEqual([
      'dark',
      'light',
      null,
      null,
      null,
    ])
  })

  it('a title cannot leave its place', () => {
    const html = renderOutline(
      { frame: 'plain', chunks: null },
      { ...toBrand('other.example'), title: '</div><b>' },
      null,
    )
    expect(html).toContain('&lt;/div&gt;&lt;b&gt;')
  })

  it.each([
    ['/', false, 'form', 'login'],
    ['/', true, 'console', 'console'],
    ['/login', false, 'form', 'login'],
    ['/login', true, 'console', 'console'], // a session leads on from there
    ['/register', true, 'form', null],
    ['/router/lists', false, 'form', 'login'],
    ['/claim', true, 'console', 'console'],
    ['/handbook', true, 'plain', null],
    ['/network/ticket_create', true, null, null],
    ['/404/index', false, 'form', 'login'],
    ['/__local/kit', true, null, null],
    ['/client', true, null, null],
    ['/client/p/x', false, null, null],
    ['/clients', false, 'form', 'login'],
  ] as const)('%s with a session: %s → %s', (path, isSignedIn, frame, chunks) => {
    expect(toPageStart(path, isSignedIn)).toEqual({ frame, chunks })
  })
})
