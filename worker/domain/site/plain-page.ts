/* HTML pages without scripts for people outside the console, and the escaping of HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, also inside quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Content of a page, for example of a sign-in by another service or of downloads. */
export interface PlainPage {
  readonly title: string
  /** Markup whose texts are escaped. */
  readonly body: string
}

const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;background:Canvas;color:CanvasText}
main{max-width:36rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.5rem;margin:0 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
dt{opacity:.7}dd{margin:0 0 .5rem}
dd.code{font-size:1.75rem;font-variant-numeric:tabular-nums}
code,pre,.link{font-family:ui-monospace,monospace;font-size:.875rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;padding:.75rem;border:1px solid GrayText;border-radius:6px}
img{width:12rem;height:12rem;background:#fff}
ul{list-style:none;padding:0}li{padding:.75rem 0;border-bottom:1px solid GrayText}
button{font:inherit;padding:.5rem 1.25rem;border:1px solid #0b6bcb;border-radius:6px;background:#0b6bcb;color:#fff;cursor:pointer}
button.plain{background:transparent;color:inherit;border-color:GrayText}`

/** The referrer policy overrides that of answers (http/answer.ts): a form's POST without an Origin counts as cross-site. */
export const renderPlainPage = ({ title, body }: PlainPage, nonce: string): string => `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="referrer" content="same-origin"><link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>`
