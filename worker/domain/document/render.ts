import { Marked, type Token, type Tokens, type MarkedToken } from 'marked'
import type { documentApi } from '#contract/document/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { escapeHtml } from '#domain/site/plain-page.ts'

/* Renders articles of the handbook from Markdown to HTML and to plain text. */

/** Resolves links and images of an article. Null: the target is not allowed, and only the text is shown. */
export interface Targets {
  link(href: string): string | null
  image(href: string): { readonly src: string; readonly width: number; readonly height: number } | null
}

type TocEntry = Output<typeof documentApi.info>['toc'][number]

/** Disables raw HTML: a tag becomes escaped text. */
const NO_HTML = { tokenizer: { html: () => undefined, tag: () => undefined } } as const

const reader = new Marked(NO_HTML)

export const readMarkdown = (markdown: string): Token[] => reader.lexer(markdown)

/** The first raw HTML of a text, for the refusal that names it. */
export function findHtml(markdown: string): string | null {
  const marked = new Marked()
  let found: string | null = null
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'html') found ??= token.raw.trim().slice(0, 40)
  })
  return found
}

/** Levels of headings in the table of contents. Level 1 belongs to the page around an article. */
const TOC_LEVELS: readonly number[] = [2, 3]
const levelOf = ({ depth }: Tokens.Heading): number => Math.max(2, depth)

/** Headings with their ids: words joined by `-`. The prefix `h-` keeps them apart from ids of the page. */
export function listHeadings(tokens: readonly Token[]): readonly TocEntry[] {
  const taken = new Map<string, number>()
  return tokens.filter(isHeading).map((token) => {
    const title = toPlainText(token.tokens)
    const words = toHeadingId(title)
    const count = (taken.get(words) ?? 0) + 1
    taken.set(words, count)
    return { id: count === 1 ? words : `${words}-${count}`, title, level: levelOf(token) }
  })
}

/** Called on top-level tokens: headings in quotes and lists get no id. */
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

export const toHeadingId = (title: string): string =>
  `h-${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')}`

/** Renders an article. Every tag and attribute of its HTML is written here. */
export function renderArticle(tokens: Token[], targets: Targets) {
  const headings = listHeadings(tokens)
  const ids = new Map(tokens.filter(isHeading).map((token, at) => [token, headings[at]?.id ?? '']))
  const marked = new Marked(NO_HTML, {
    renderer: {
      heading(token) {
        const level = levelOf(token)
        const id = ids.get(token)
        return `<h${level}${id === undefined ? '' : ` id="${escapeHtml(id)}"`}>${this.parser.parseInline(token.tokens)}</h${level}>\n`
      },
      link({ href, tokens: inner }) {
        const words = this.parser.parseInline(inner)
        const address = targets.link(href)
        if (address === null) return words
        const isForeign = !address.startsWith('/') && !address.startsWith('#')
        const more = isForeign ? ' target="_blank" rel="noopener noreferrer nofollow"' : ''
        return `<a href="${escapeHtml(address)}"${more}>${words}</a>`
      },
      image({ href, text }) {
        const found = targets.image(href)
        if (found === null) return escapeHtml(text)
        const { src, width, height } = found
        return (
          `<button type="button" class="nl-markdown-image"><img src="${escapeHtml(src)}" alt="${escapeHtml(text)}"` +
          ` width="${width}" height="${height}" loading="lazy"></button>`
        )
      },
      table({ header, rows }) {
        const cell = (tag: string, { tokens: inner }: Tokens.TableCell) =>
          `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(inner)}</${tag}>`
        const row = (tag: string, cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((one) => cell(tag, one)).join('')}</tr>`
        return (
          '<div class="nl-markdown-table" tabindex="0" role="group" aria-label="表格"><table>' +
          `<thead>${row('th', header)}</thead><tbody>${rows.map((one) => row('td', one)).join('')}</tbody></table></div>\n`
        )
      },
      code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      html: ({ text }) => escapeHtml(text),
    },
  })
  return { html: marked.parser(tokens), toc: headings.filter(({ level }) => TOC_LEVELS.includes(level)) }
}

/** Text without Markdown marks and pictures, for the search and the table of contents. */
export function toPlainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => toWords(token as MarkedToken))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const BLOCKS: readonly string[] = ['paragraph', 'heading', 'blockquote', 'code', 'list', 'table', 'space', 'hr', 'br']

function toWords(token: MarkedToken): string {
  const words = inner(token)
  return BLOCKS.includes(token.type) ? `${words} ` : words
}

function inner(token: MarkedToken): string {
  switch (token.type) {
    case 'list':
      return token.items.map((item) => toPlainText(item.tokens)).join(' ')
    case 'table':
      return [token.header, ...token.rows].map(toRow).join(' ')
    case 'code':
    case 'codespan':
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? toPlainText(token.tokens) : token.text
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return toPlainText(token.tokens)
    default:
      return ''
  }
}

const toRow = (cells: readonly Tokens.TableCell[]): string => cells.map(({ tokens }) => toPlainText(tokens)).join(' ')
