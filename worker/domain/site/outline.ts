import type { Brand } from './brand.ts'
import { escapeHtml } from './plain-page.ts'

/* Outline of the console's pages: frame, brand and colours, painted before any script or style sheet is there. */

export interface PageStart {
  /** Frame of the page: a form beside the picture, a header alone, or header and menu; null for none. */
  readonly frame: 'form' | 'plain' | 'console' | null
  /** Chunks that the page loads first, besides those of its entry (infra/local/vite-plugins.ts). */
  readonly chunks: 'login' | 'console' | null
}

/** Theme that the person has chosen; null follows the device. */
export type ChosenTheme = 'light' | 'dark' | null

export const toChosenTheme = (cookie: string | undefined): ChosenTheme =>
  cookie === 'light' || cookie === 'dark' ? cookie : null

/** Public pages with a form of their own. The login page is none of them: a session leads on from there. */
const FORMS: readonly string[] = ['/register', '/reset']
const PLAIN: readonly string[] = [
  '/clause',
  '/privacy',
  '/licenses',
  '/handbook',
  '/download',
  '/validate/email',
  '/validate/unsubscribe',
  '/validate/refuse',
]
/** Pages behind the sign-in that draw their own frame. */
const BARE: readonly string[] = ['/404/index', '/network/ticket_create']
const LOCAL = '/__local/'
/** Page of software members, which is small enough to need none. */
const CLIENT = /^\/client(\/|$)/

/** Start of the page to which an address leads, with or without a session. */
export function toPageStart(path: string, isSignedIn: boolean): PageStart {
  if (path.startsWith(LOCAL) || CLIENT.test(path)) return { frame: null, chunks: null }
  if (PLAIN.includes(path)) return { frame: 'plain', chunks: null }
  if (FORMS.includes(path)) return { frame: 'form', chunks: null }
  if (!isSignedIn) return { frame: 'form', chunks: 'login' }
  return BARE.includes(path) ? { frame: null, chunks: null } : { frame: 'console', chunks: 'console' }
}

const DARK = '--p:#1f2025;--l:#34363d;--b:#2a2c32;color:#f9f9f9;background:#16171b'

/** Colours and measures of web/theme.css and the layouts. The outline is hidden once #root has a page, and is no landmark. */
const STYLE = `#outline{display:none}
@supports selector(:has(*)){#outline{display:grid}}
#outline:has(~#root:not(:empty)):not(:has(~#root .nl-loading)){display:none}
#outline{position:fixed;inset:0;grid:56px 1fr/208px 1fr;--p:#fff;--l:#e3e6ea;--b:#e9ecf0;color:#1c1f23;background:#f5f6f8}
@media(prefers-color-scheme:dark){#outline:not(.light){${DARK}}}
#outline.dark{${DARK}}
#outline *{box-sizing:border-box}
#outline .bar{grid-column:1/-1;display:flex;align-items:center;padding:0 16px;font:600 16px sans-serif;background:var(--p);border-bottom:1px solid var(--l)}
#outline .side{padding:10px;background:var(--p);border-right:1px solid var(--l)}
#outline .page{padding:20px 24px}
#outline picture{display:flex}
#outline i{display:block;height:20px;margin:8px 10px;border-radius:6px;background:var(--b)}
#outline .page i{height:28px;width:160px;margin:0 0 20px}
#outline .page b{display:block;height:120px;border:1px solid var(--l);border-radius:8px;background:var(--p)}
#outline.plain{grid-template-columns:1fr}
#outline.plain .side{display:none}
#outline.form{grid:68px 1fr/2fr minmax(480px,3fr);background:var(--p)}
#outline.form .side{grid-area:1/1/3/2;border:0;background:#0a101b;background:color-mix(in oklab,var(--netloom-accent) 26%,#0a101b)}
#outline.form .bar{grid-column:2;padding:0 32px;border:0}
#outline.form .page{width:100%;max-width:464px;margin:0 auto;padding:clamp(16px,22vh - 96px,160px) 32px 16px}
#outline.form .page::before{content:'';display:block;height:40px;margin-bottom:26px;border-bottom:1px solid var(--l)}
#outline.form .page i{width:56px;height:16px;margin:0 0 8px}
#outline.form .page b{height:40px;margin-bottom:24px;border-color:var(--b);background:none}
#outline.form .page b:nth-of-type(3){margin-bottom:48px}
#outline.form .page b:last-child{border:0;background:var(--netloom-accent)}
#outline~#root .nl-loading{position:relative;background:none}
#outline.console~#root .nl-loading{margin-left:208px}
#outline.form~#root .nl-loading{align-content:end;margin-left:40%;padding-bottom:64px;box-sizing:border-box}
@media(max-width:991px){#outline .side,#outline.form .side{display:none}#outline,#outline.form{grid-template-columns:1fr}#outline.form .bar{grid-column:1;padding:0 16px}#outline.form .page{padding:16px}#outline .page{padding:16px}#outline~#root .nl-loading{margin-left:0!important}}`

const FIELDS = '<i></i><b></b>'.repeat(3)
const MENU = '<i></i>'.repeat(9)

/** Markup of the outline, at the beginning of the body; empty for a page without a frame. */
export function renderOutline({ frame }: PageStart, brand: Brand, theme: ChosenTheme): string {
  if (frame === null) return ''
  const page = frame === 'form' ? `${FIELDS}<b></b>` : '<i></i><b></b>'
  return `<style>${STYLE}</style><div id="outline" class="${theme === null ? frame : `${frame} ${theme}`}" aria-hidden="true"><div class="bar">${renderMark(brand, theme)}</div><div class="side">${frame === 'console' ? MENU : ''}</div><div class="page">${page}</div></div>`
}

function renderMark({ logo, logo_dark, title }: Brand, theme: ChosenTheme): string {
  if (logo === '') return escapeHtml(title)
  const dark = logo_dark || logo
  const source = theme === null ? `<source media="(prefers-color-scheme:dark)" srcset="${escapeHtml(dark)}">` : ''
  return `<picture>${source}<img src="${escapeHtml(theme === 'dark' ? dark : logo)}" alt="" height="28"></picture>`
}
