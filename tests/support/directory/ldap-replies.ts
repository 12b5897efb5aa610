import { BerReader } from '#outside/tls/ber-reader.ts'
import { der, integer, octets, sequence, set } from './der.ts'

/** Replies of an LDAP server (RFC 4511 §4), byte by byte, so that hostile ones can be made, too. */

const text = (value: string | Buffer): Buffer => octets(typeof value === 'string' ? Buffer.from(value) : value)
export const message = (id: number, ...parts: readonly Uint8Array[]): Buffer =>
  sequence(integer(Buffer.from([0, 0, id >> 8, id & 0xff])), ...parts)
const result = (tag: number, code: number, words: string): Buffer =>
  der(tag, der(0x0a, Buffer.from([code])), text(''), text(words))

export const bindReply = (id: number, code = 0, words = ''): Buffer => message(id, result(0x61, code, words))
export const extendedReply = (id: number, code = 0, words = ''): Buffer => message(id, result(0x78, code, words))
export const referenceReply = (id: number, url: string): Buffer => message(id, der(0x73, text(url)))

/** With a paging control where there is a cookie, also an empty one. */
export const doneReply = (id: number, code = 0, cookie: string | null = null): Buffer =>
  message(id, result(0x65, code, ''), ...(cookie === null ? [] : [der(0xa0, pagingControl(cookie))]))
const pagingControl = (cookie: string): Buffer =>
  sequence(text('1.2.840.113556.1.4.319'), text(sequence(integer(Buffer.from([0])), text(cookie))))

export type Values = Readonly<Record<string, string | Buffer | readonly (string | Buffer)[]>>
export const entryReply = (id: number, dn: string, values: Values): Buffer =>
  message(id, der(0x64, text(dn), sequence(...Object.entries(values).map(toAttribute))))

function toAttribute([name, value]: [string, Values[string]]): Buffer {
  const values = typeof value === 'string' || value instanceof Uint8Array ? [value] : value
  return sequence(text(name), set(...values.map((each) => text(each))))
}

export interface Request {
  readonly id: number
  readonly operation: 'bind' | 'search' | 'startTls' | 'unbind'
  /** Of a bind. */
  readonly dn: string
  readonly password: string
  /** Base of a search. */
  readonly base: string
  /** Of a paged search. */
  readonly cookie: string | null
}

const OPERATIONS = new Map<number, Request['operation']>([
  [0x60, 'bind'],
  [0x63, 'search'],
  [0x77, 'startTls'],
  [0x42, 'unbind'],
])

/** One request, as our client sends them. */
export function readRequest(bytes: Buffer): Request {
  const reader = new BerReader(bytes).element(0x30)
  const id = reader.integer()
  const tag = reader.tag ?? 0
  const operation = OPERATIONS.get(tag) ?? 'unbind'
  const body = reader.element(tag)
  const empty = { id, operation, dn: '', password: '', base: '', cookie: null }
  if (operation === 'search') return { ...empty, base: body.text(), cookie: readCookie(reader) }
  if (operation !== 'bind') return empty
  body.integer()
  return { ...empty, dn: body.text(), password: body.text(0x80) }
}

function readCookie(reader: BerReader): string | null {
  if (reader.isAtEnd) return null
  const control = reader.element(0xa0).element(0x30)
  control.skip() // its type
  control.skip() // critical
  const value = new BerReader(control.octets()).element(0x30)
  value.skip()
  return value.text()
}
