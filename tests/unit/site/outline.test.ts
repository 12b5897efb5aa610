import { describe, expect, it } from 'vitest'
import config from '#infra/hosts.json' with { type: 'json' }
import { type PageStart, renderOutline, toPageStart } from '#domain/site/outline.ts'
import { toBrand } from '#domain/site/brand.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const MAX_BYTES = 4_096
const FRAMES = ['form', 'plain', 'console'] as const
const HOSTS = [...Object.keys(config.hosts), 'other.example']
const render = (frame: PageStart['frame'], host = 'localhost') => renderOutline({ frame, chunks: null }, toBrand(host))

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

  it('is hidden from screen readers, and nothing at all for a page that draws its own frame', () => {
    expect(render('console')).toContain('<div id="outline" class="console" aria-hidden="true">')
    expect(render(null)).toBe('')
  })

  it('a title cannot leave its place', () => {
    const html = renderOutline({ frame: 'plain', chunks: null }, { ...toBrand('other.example'), title: '</header><b>' })
    expect(html).toContain('&lt;/header&gt;&lt;b&gt;')
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
  ] as const)('%s with a session: %s → %s', (path, isSignedIn, frame, chunks) => {
    expect(toPageStart(path, isSignedIn)).toEqual({ frame, chunks })
  })
})
