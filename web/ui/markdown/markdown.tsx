import { lexer, walkTokens, type MarkedToken, type Token, type Tokens } from 'marked'
import { useMemo, useState, Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { toImageSource, toLinkTarget } from './address.ts'
import './markdown.css'

/* Renders Markdown. A click on an image shows it in full size, with the other images of the text. */

const ImagePreview = lazyDialog(() => import('./image-preview.tsx').then((m) => m.ImagePreview))

export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => raiseHeadings(lexer(text)), [text])
  const sources = useMemo(() => listImages(tokens), [tokens])
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <div className="nl-markdown">
      <Blocks tokens={tokens} onImage={setOpened} />
      {opened !== null && (
        <ImagePreview sources={sources} first={sources.indexOf(opened)} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

/** Raises all headings so that the largest is of level 1: a text that begins with ## would skip one. */
function raiseHeadings(tokens: ReturnType<typeof lexer>): ReturnType<typeof lexer> {
  const headings: Tokens.Heading[] = []
  void walkTokens(tokens, (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading)
  })
  const above = Math.min(...headings.map(({ depth }) => depth)) - 1
  for (const heading of headings) heading.depth -= above
  return tokens
}

function listImages(tokens: ReturnType<typeof lexer>): readonly string[] {
  const sources: string[] = []
  void walkTokens(tokens, (token) => {
    if (token.type !== 'image') return
    const src = toImageSource(String(token['href']), location.origin)
    if (src !== null && !sources.includes(src)) sources.push(src)
  })
  return sources
}

/** Headings start at h2, because the page has the h1. */
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const

interface TokensProps {
  readonly tokens: readonly Token[] | undefined
  readonly onImage: (src: string) => void
}

/** Elements of Markdown tokens. There is no markup in between: HTML in a text is shown as typed. */
function Blocks({ tokens = [], onImage }: TokensProps): ReactNode {
  return tokens.map((token, i) => <Fragment key={i}>{toElement(token as MarkedToken, onImage)}</Fragment>)
}

const ELEMENT = { paragraph: 'p', blockquote: 'blockquote', strong: 'strong', em: 'em', del: 'del' } as const

function toElement(token: MarkedToken, onImage: TokensProps['onImage']): ReactNode {
  switch (token.type) {
    case 'paragraph':
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
    case 'heading': {
      const Element = token.type === 'heading' ? (HEADINGS[token.depth - 1] ?? 'h6') : ELEMENT[token.type]
      return (
        <Element>
          <Blocks tokens={token.tokens} onImage={onImage} />
        </Element>
      )
    }
    case 'list':
      return <TextList list={token} onImage={onImage} />
    case 'table':
      return <TextTable table={token} onImage={onImage} />
    case 'link':
      return (
        <TextLink href={token.href}>
          <Blocks tokens={token.tokens} onImage={onImage} />
        </TextLink>
      )
    case 'image':
      return <TextImage image={token} onImage={onImage} />
    case 'text':
      return token.tokens ? <Blocks tokens={token.tokens} onImage={onImage} /> : token.text
    default:
      return toLeaf(token)
  }
}

function toLeaf(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'escape':
      return token.text
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    default:
      return token.raw
  }
}

function TextLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const target = toLinkTarget(href, location.origin)
  if (target === null) return children
  if ('path' in target) return <Link to={target.path}>{children}</Link>
  return (
    <a href={target.url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function TextImage({ image, onImage }: { readonly image: Tokens.Image } & Pick<TokensProps, 'onImage'>) {
  const src = toImageSource(image.href, location.origin)
  if (src === null) return <TextLink href={image.href}>{image.text || '图片'}</TextLink>
  return (
    <button type="button" className="nl-markdown-image" onClick={() => onImage(src)}>
      <img src={src} alt={image.text || '图片'} loading="lazy" />
    </button>
  )
}

function TextList({
  list: { ordered, start, items },
  onImage,
}: { readonly list: Tokens.List } & Pick<TokensProps, 'onImage'>) {
  const rows = items.map((item, i) => (
    <li key={i}>
      <Blocks tokens={item.tokens} onImage={onImage} />
    </li>
  ))
  return ordered ? <ol {...(start !== '' && { start })}>{rows}</ol> : <ul>{rows}</ul>
}

function TextTable({
  table: { header, rows },
  onImage,
}: { readonly table: Tokens.Table } & Pick<TokensProps, 'onImage'>) {
  return (
    <div className="nl-markdown-table" tabIndex={0} role="group" aria-label="表格">
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              <th key={i} scope="col">
                <Blocks tokens={cell.tokens} onImage={onImage} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, at) => (
                <td key={at}>
                  <Blocks tokens={cell.tokens} onImage={onImage} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
