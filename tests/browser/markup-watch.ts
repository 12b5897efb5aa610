import type { Page } from 'playwright-core'
import { EVIL } from '#tests/support/hostile/payloads.ts'

declare global {
  interface Window {
    markup: string[]
    xss(): void
  }
}

/** Everything that markup of a stranger could do on a page: run, make an element, open a dialog or a window, call another host. */
export async function watchMarkup(page: Page, origin: string): Promise<{ found(): Promise<readonly string[]> }> {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => seen.push(`window ${popup.url()}`))
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http') && host !== new URL(origin).host) seen.push(`request ${request.url()}`)
  })
  await page.addInitScript(watch, [EVIL, 'e.x'])
  return {
    found: async () => {
      const made = await page.evaluate(() => window.markup.splice(0))
      return [...seen.splice(0), ...made]
    },
  }
}

/** Runs in the page, before its own scripts. */
function watch(foreign: readonly string[]): void {
  const made: string[] = []
  window.markup = made
  window.xss = () => made.push('script ran')
  const TAGS = ['IFRAME', 'FRAME', 'OBJECT', 'EMBED', 'BASE', 'MARQUEE', 'MATH', 'VIDEO', 'AUDIO', 'TEMPLATE', 'KEYGEN']
  const BRAND = 'brand' // JSON, in the document as the Worker sends it
  const ADDRESSES = ['href', 'src', 'action', 'formaction', 'srcdoc', 'xlink:href', 'data', 'poster', 'style']
  const isForeign = (text: string) => foreign.some((host) => text.includes(`//${host}`))
  /** Problem of an attribute; null for none. */
  const attributeProblem = (tag: string, name: string, value: string): string | null => {
    if (/^on/i.test(name)) return `attribute ${name}`
    if (!ADDRESSES.includes(name.toLowerCase())) return null
    const isScript = /^[\s\p{Cc}]*(?:j\s*a\s*v\s*a|vb)script:/iu.test(value)
    const isData =
      /^\s*data:(?!image\/(?:png|jpeg|webp|gif|svg\+xml))/i.test(value) || (tag === 'USE' && value.startsWith('data:'))
    const isImage = tag === 'IMG' && name === 'src' && !/^(?:\/|data:image\/|blob:|https?:)/.test(value)
    const isLink = tag === 'A' && name === 'href' // may lead anywhere, by a click
    return (isForeign(value) && !isLink) || isScript || isData || isImage ? `address ${value}` : null
  }
  /** Rules that none of our own elements breaks. */
  const PROBLEMS: readonly ((element: Element, tag: string) => boolean)[] = [
    (_, tag) => TAGS.includes(tag),
    (element, tag) =>
      tag === 'SCRIPT' && element.id !== BRAND && !(element instanceof HTMLScriptElement && element.src !== ''),
    (element) => element instanceof HTMLStyleElement && isForeign(element.textContent),
    (element) => element instanceof HTMLMetaElement && element.httpEquiv !== '',
  ]
  const problemOf = (element: Element): string | null => {
    const tag = element.tagName.toUpperCase()
    if (PROBLEMS.some((is) => is(element, tag))) return 'element'
    const found = [...element.attributes].map(({ name, value }) => attributeProblem(tag, name, value))
    return found.find((problem) => problem !== null) ?? null
  }
  const scan = (root: Node) => {
    if (!(root instanceof Element)) return
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const problem = problemOf(element)
      if (problem !== null) made.push(`${problem}: ${element.outerHTML.slice(0, 200)}`)
    }
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') scan(target)
      for (const node of addedNodes) scan(node)
    }
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true })
}
