import type { MarkedToken, Token, Tokens } from 'marked'

/** Words of a text without its marks: what a search looks through and a table of contents shows. Pictures have none. */
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
