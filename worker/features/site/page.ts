import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { CLIENT_PAGE_PATH } from '#contract/client/profiles.ts'
import { SIGNED_IN_COOKIE } from '#contract/login/limits.ts'
import { THEME_COOKIE } from '#contract/site/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { type Brand, toBrand } from '#domain/site/brand.ts'
import { type ChosenTheme, type PageStart, renderOutline, toChosenTheme, toPageStart } from '#domain/site/outline.ts'

/* Pages: static files, the console's index.html and the page of software members, with the host's brand and the security policy. */

/**
 * Content security policy. The only inline script is the brand, which is data and never runs. Styles are inline because the
 * component library sets them on elements; nothing comes from another host.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Path of the file of a page, without its extension as the platform serves it. */
const toPageFile = (path: string): string =>
  path === CLIENT_PAGE_PATH || path.startsWith(`${CLIENT_PAGE_PATH}/`) ? CLIENT_PAGE_PATH : '/'

/** Answers a static file, or a page with the host's brand: index.html for any path of the console. */
export async function servePage(c: Context<HonoEnv>): Promise<Response> {
  const { hostname, pathname } = new URL(c.req.url)
  const isFile = /\.\w+$/.test(pathname) // a missing one must be a 404, because a browser would run the page as a script
  const file = await c.env.ASSETS.fetch(
    isFile ? c.req.raw : new Request(new URL(toPageFile(pathname), c.req.url), c.req.raw),
  )
  const response = new Response(file.body, file)
  response.headers.set('content-security-policy', POLICY)
  if (file.status === 404) response.headers.set('cache-control', 'no-store') // web/public/_headers would keep a 404 for a year
  if (!file.headers.get('content-type')?.startsWith('text/html')) return response
  response.headers.set('cache-control', 'no-cache')
  response.headers.delete('etag') // the ETag is the file's, not the branded page's
  const start = toPageStart(pathname, getCookie(c, SIGNED_IN_COOKIE) !== undefined)
  const theme = toChosenTheme(getCookie(c, THEME_COOKIE))
  return written(response, { ...toBrand(hostname), environment: c.env.ENVIRONMENT }, start, theme)
}

/** The page with brand and outline, and without the preloads of other pages. */
function written(
  page: Response,
  brand: Brand & { environment: string },
  start: PageStart,
  theme: ChosenTheme,
): Response {
  return new HTMLRewriter()
    .on('html', { element: (html) => void html.setAttribute('style', `--netloom-accent:${brand.accent}`) })
    .on('title', { element: (title) => void title.setInnerContent(brand.title) })
    .on('meta[name="theme-color"]', {
      element(meta) {
        meta.setAttribute('content', brand.accent)
        meta.after(renderPictures(brand), { html: true })
      },
    })
    .on('head', { element: (head) => void head.append(renderData(brand), { html: true }) })
    .on('link[data-start]', {
      element: (link) => void (link.getAttribute('data-start') === start.chunks || link.remove()),
    })
    .on('body', { element: (body) => void body.prepend(renderOutline(start, brand, theme), { html: true }) })
    .transform(page)
}

/** Links of the brand's pictures. They stand before the scripts: the logo is the first that a page shows. */
function renderPictures({ logo, logo_dark: dark }: Brand): string {
  if (logo === '') return '<link rel="icon" href="data:,">' // without it the browser asks for /favicon.ico
  const preload = (href: string, theme: string) =>
    `<link rel="preload" as="image" href="${href}" media="(prefers-color-scheme: ${theme})" fetchpriority="high">`
  const icon = logo.replace(/\.svg$/, '-icon.svg')
  return `<link rel="icon" href="${icon}" type="image/svg+xml">${preload(logo, 'light')}${preload(dark, 'dark')}`
}

function renderData(brand: Brand): string {
  const data = JSON.stringify(brand).replaceAll('<', '\\u003c') // so that no text can end the script element
  return `<script type="application/json" id="brand">${data}</script>`
}
