import type { Token } from 'marked'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { documentApi } from '#contract/document/index.ts'
import type { handbookOps } from '#contract/ops/endpoints/handbook.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import {
  findHtml,
  toHeadingId,
  listHeadings,
  readMarkdown,
  renderArticle,
  type Targets,
  toPlainText,
} from './render.ts'

/* Renders an imported handbook: checks its Markdown, links and images, and returns its articles as HTML. */

type Handbook = Omit<Parsed<typeof handbookOps.importHandbook>, 'digest'>
type Article = Handbook['chapters'][number]['articles'][number]

interface RenderedArticle extends ReturnType<typeof renderArticle> {
  readonly id: string
  readonly title: string
  readonly text: string
}

interface ReadArticle extends Article {
  readonly tokens: Token[]
  readonly headings: ReadonlySet<string>
}

/** Every article by id, or the reason to refuse the handbook: raw HTML, a broken link or image. */
export function renderHandbook({ chapters, images }: Handbook): ReadonlyMap<string, RenderedArticle> | Violation {
  const ids = chapters.flatMap(({ id, articles }) => [id, ...articles.map((article) => article.id)])
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) return violation('HANDBOOK_ID_TWICE', { id: twice })

  const articles = new Map<string, ReadArticle>()
  for (const article of chapters.flatMap((chapter) => chapter.articles)) {
    const found = findHtml(article.markdown)
    if (found !== null) return violation('HANDBOOK_HTML', { file: article.path, found })
    const tokens = readMarkdown(article.markdown)
    const headings = new Set(listHeadings(tokens).map(({ id }) => id))
    articles.set(article.path, { ...article, tokens, headings })
  }

  const stored = new Map(images.map((image) => [image.path, image]))
  const rendered = new Map<string, RenderedArticle>()
  for (const article of articles.values()) {
    const { id, title, path: file, tokens } = article
    const refused: Violation[] = []
    const targets: Targets = {
      link(href) {
        const address = toAddress(href, article, articles)
        if (address === null) refused.push(violation('HANDBOOK_LINK', { file, target: href }))
        return address
      },
      image(href) {
        const image = stored.get(resolvePath(file, href) ?? '')
        if (image === undefined) refused.push(violation('HANDBOOK_IMAGE', { file, target: href }))
        return image ? { src: toImageAddress(image.key), width: image.width, height: image.height } : null
      },
    }
    const { html, toc } = renderArticle(tokens, targets)
    if (refused[0]) return refused[0]
    rendered.set(id, { id, title, text: toPlainText(tokens), toc, html })
  }
  return rendered
}

const toImageAddress = (key: string): string => `/api/v1/${documentApi.image.path}?key=${encodeURIComponent(key)}`

/** Address of an article, with its title in the query (directory 2). */
const toArticleAddress = ({ id, title }: Pick<Article, 'id' | 'title'>): string =>
  `/handbook?id=${encodeURIComponent(id)}&title=${encodeURIComponent(title)}`

function toAddress(href: string, from: ReadArticle, articles: ReadonlyMap<string, ReadArticle>): string | null {
  if (/^(https:\/\/|mailto:)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = path === '' ? from : articles.get(resolvePath(from.path, path) ?? '')
  if (target === undefined || href === '') return null
  if (fragment === undefined) return toArticleAddress(target)
  const heading = toHeadingId(decode(fragment) ?? '')
  if (!target.headings.has(heading)) return null
  return `${toArticleAddress(target)}#${encodeURIComponent(heading)}`
}

/** A path relative to a file of the folder; null if it leaves the folder. */
function resolvePath(from: string, href: string): string | null {
  const parts = from.split('/').slice(0, -1)
  for (const part of (decode(href) ?? '').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
