import { DIRECTORY } from '#contract/ldap/limits.ts'

/* LDAP search filter of users (用户过滤条件): its syntax tree, and the parser of its text form. */

/** Syntax tree (RFC 4511 §4.5.1.7). Values keep the escapes `\xx` of their text form, which stand for bytes. */
export type UserFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly UserFilter[] }
  | { readonly kind: 'not'; readonly part: UserFilter }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'compare'; readonly attribute: string; readonly operator: Operator; readonly value: string }
  | {
      readonly kind: 'substring'
      readonly attribute: string
      readonly initial: string
      readonly any: readonly string[]
      readonly final: string
    }
  | {
      readonly kind: 'extensible'
      readonly attribute: string
      readonly isDn: boolean
      readonly rule: string
      readonly value: string
    }
export type Operator = '=' | '>=' | '<=' | '~='

const DEPTH_MAX = 20
const ATTRIBUTE = String.raw`(?:[A-Za-z][A-Za-z0-9_-]*|\d+(?:\.\d+)+)(?:;[A-Za-z0-9-]+)*`
const ITEM = new RegExp(String.raw`^\s*(${ATTRIBUTE})\s*(=|>=|<=|~=)(.*)$`, 's')
const EXTENSIBLE = new RegExp(String.raw`^\s*(${ATTRIBUTE})?(:dn)?(?::(${ATTRIBUTE}))?:=(.*)$`, 'is')
const VALUE = /^(?:[^\\()*\0]|\\[0-9A-Fa-f]{2})*$/

/** Name of an option or a line, and quotes, that tools print around a filter. */
const NAME = /^(?:#\s*)?(?:-?ldapfilter|filter)\s*[:=]?\s+/i
const QUOTED = /^(["'`])(.*)\1$/s

/**
 * Parses the text form (RFC 4515) as tools of directories print it: outer parentheses and spaces around parts are optional,
 * `(!a=b)` is a negation, and a DN keeps the escapes of its commas. Null: not a filter.
 */
export function parseUserFilter(text: string): UserFilter | null {
  const trimmed = text.trim().replace(NAME, '').replace(QUOTED, '$2').trim()
  if (trimmed === '' || trimmed.length > DIRECTORY.filterLength) return null
  const source = toStrictEscapes(trimmed.startsWith('(') ? trimmed : `(${trimmed})`)
  const parser = new FilterParser(source)
  const filter = parser.filter(0)
  return filter !== null && parser.isAtEnd ? filter : null
}

const hexOf = (character: string): string => `\\${character.charCodeAt(0).toString(16)}`

/** Escapes of RFC 1960 (`\*`) and of a DN inside a value (`\,`) as hexadecimal ones. */
const toStrictEscapes = (text: string): string =>
  text.replaceAll(/\\(?:([()*\\])|([,+"<>;=# ]))/g, (_, character?: string, ofDn = '') =>
    character === undefined ? `${hexOf('\\')}${ofDn}` : hexOf(character),
  )

class FilterParser {
  private readonly text: string
  private offset = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.offset === this.text.length
  }

  filter(depth: number): UserFilter | null {
    if (depth > DEPTH_MAX || !this.skip('(')) return null
    this.spaces()
    const filter = this.skip('&')
      ? this.set('and', depth)
      : this.skip('|')
        ? this.set('or', depth)
        : this.skip('!')
          ? this.not(depth)
          : this.item()
    return filter !== null && this.skip(')') ? filter : null
  }

  private set(kind: 'and' | 'or', depth: number): UserFilter | null {
    const parts: UserFilter[] = []
    for (this.spaces(); this.text[this.offset] === '('; this.spaces()) {
      const part = this.filter(depth + 1)
      if (part === null) return null
      parts.push(part)
    }
    return parts.length === 0 ? null : { kind, parts }
  }

  private not(depth: number): UserFilter | null {
    this.spaces()
    const part = this.text[this.offset] === '(' ? this.filter(depth + 1) : this.item()
    this.spaces()
    return part === null ? null : { kind: 'not', part }
  }

  private item(): UserFilter | null {
    const end = this.text.indexOf(')', this.offset)
    const item = end < 0 ? '' : this.text.slice(this.offset, end)
    this.offset += item.length
    return toItem(item)
  }

  private skip(character: string): boolean {
    const isThere = this.text[this.offset] === character
    if (isThere) this.offset++
    return isThere
  }

  private spaces(): void {
    while (/\s/.test(this.text[this.offset] ?? '')) this.offset++
  }
}

function toItem(item: string): UserFilter | null {
  const [, attribute, operator, value = ''] = ITEM.exec(item) ?? []
  if (attribute !== undefined && isOperator(operator)) {
    return operator === '=' ? toEquality(attribute, value) : toComparison(attribute, operator, value)
  }
  const [, type = '', dn, rule = '', asserted = ''] = EXTENSIBLE.exec(item) ?? []
  if ((type === '' && rule === '') || !VALUE.test(asserted)) return null
  return { kind: 'extensible', attribute: type, isDn: dn !== undefined, rule, value: asserted }
}

const isOperator = (text: string | undefined): text is Operator => /^(=|>=|<=|~=)$/.test(text ?? '')

function toComparison(attribute: string, operator: Operator, value: string): UserFilter | null {
  return VALUE.test(value) ? { kind: 'compare', attribute, operator, value } : null
}

function toEquality(attribute: string, value: string): UserFilter | null {
  if (value === '*') return { kind: 'present', attribute }
  const pieces = value.split('*')
  const [initial = '', ...rest] = pieces
  if (!pieces.every((piece) => VALUE.test(piece))) return null
  if (rest.length === 0) return { kind: 'compare', attribute, operator: '=', value }
  const any = rest.slice(0, -1)
  // Text must stand between two asterisks (RFC 4515 §3).
  return any.includes('') ? null : { kind: 'substring', attribute, initial, any, final: rest.at(-1) ?? '' }
}
