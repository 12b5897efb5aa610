import { BerReader, TAG } from '#outside/tls/ber-reader.ts'
import { failDirectory } from '#outside/tls/failure.ts'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { type Attributes, BINARY } from '#domain/ldap/directory-entry.ts'
import { orNotLdap } from './not-ldap.ts'

/** Protocol operations of replies (RFC 4511 §4). */
const OPERATION = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 } as const
const CONTROLS = 0xa0
const PAGED_RESULTS = '1.2.840.113556.1.4.319' // RFC 2696

export interface LdapResult {
  readonly code: number
  /** The server's own words: read for codes of Active Directory, never shown. */
  readonly words: string
  /** Names the next page; null without a paging control, empty behind the last page. */
  readonly cookie: Buffer | null
}

export interface LdapEntry {
  readonly dn: string
  readonly attributes: Attributes
}

export type LdapResponse = { readonly id: number } & (
  | ({ readonly kind: 'entry' } & LdapEntry)
  | { readonly kind: 'reference' }
  | ({ readonly kind: 'result'; readonly operation: 'bind' | 'done' | 'extended' } & LdapResult)
)

/** Reads one message; of an entry only the wanted attributes. */
export const readResponse = (message: Buffer, wanted: ReadonlySet<string>): LdapResponse =>
  orNotLdap(() => parse(message, wanted))

function parse(message: Buffer, wanted: ReadonlySet<string>): LdapResponse {
  const reader = new BerReader(message).element(TAG.sequence)
  const id = reader.integer()
  switch (reader.tag) {
    case OPERATION.entry:
      return { id, kind: 'entry', ...readEntry(reader.element(OPERATION.entry), wanted) }
    case OPERATION.reference:
      return { id, kind: 'reference' }
    case OPERATION.bind:
      return { id, kind: 'result', operation: 'bind', ...readResult(reader, OPERATION.bind) }
    case OPERATION.done:
      return { id, kind: 'result', operation: 'done', ...readResult(reader, OPERATION.done) }
    case OPERATION.extended:
      return { id, kind: 'result', operation: 'extended', ...readResult(reader, OPERATION.extended) }
    default:
      return failDirectory('not_ldap', {}, 'operation')
  }
}

function readResult(reader: BerReader, tag: number): LdapResult {
  const result = reader.element(tag)
  const code = result.integer(TAG.enumerated)
  result.skip() // matched DN
  const words = result.text()
  return { code, words, cookie: readCookie(reader) }
}

function readCookie(reader: BerReader): Buffer | null {
  if (reader.tag !== CONTROLS) return null
  const controls = reader.element(CONTROLS)
  while (!controls.isAtEnd) {
    const control = controls.element(TAG.sequence)
    if (control.text() !== PAGED_RESULTS) continue
    if (control.tag === TAG.boolean) control.skip()
    const value = new BerReader(control.octets()).element(TAG.sequence)
    value.integer() // the server's guess of the size
    return Buffer.from(value.octets())
  }
  return null
}

/** Of each value a copy is kept, so that the message can go. */
function readEntry(reader: BerReader, wanted: ReadonlySet<string>): LdapEntry {
  const dn = reader.text()
  const list = reader.element(TAG.sequence)
  const attributes = new Map<string, string[]>()
  while (!list.isAtEnd) {
    const attribute = list.element(TAG.sequence)
    const name = attribute.text().toLowerCase()
    if (wanted.has(name)) attributes.set(name, readValues(attribute.element(TAG.set), BINARY.has(name)))
  }
  return { dn, attributes }
}

function readValues(set: BerReader, isBinary: boolean): string[] {
  const values: string[] = []
  while (!set.isAtEnd && values.length < DIRECTORY.values) {
    const value = set.octets()
    if (value.length <= DIRECTORY.valueBytes) values.push(value.toString(isBinary ? 'hex' : 'utf8'))
  }
  return values
}
