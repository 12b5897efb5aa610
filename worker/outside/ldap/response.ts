import { BerReader, TAG, BerError } from '#outside/tls/ber-reader.ts'
import { failDirectory, type DirectoryFailure } from '#outside/tls/failure.ts'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { type Attributes, BINARY } from '#domain/ldap/directory-entry.ts'

/* Replies of an LDAP server: their decoding, and the failures that their result codes become. */

/** Protocol operations of replies (RFC 4511 §4). */
const OPERATION = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 } as const
const RESULTS = ['bind', 'done', 'extended'] as const
const CONTROLS = 0xa0
const PAGED_RESULTS = '1.2.840.113556.1.4.319' // RFC 2696

export interface LdapResult {
  readonly code: number
  /** Text of the server. Only the codes of Active Directory are read from it, and it is never shown. */
  readonly words: string
  /** Cookie of the next page; null without a paging control, empty after the last page. */
  readonly cookie: Buffer | null
}

export interface LdapEntry {
  readonly dn: string
  readonly attributes: Attributes
}

export type LdapResponse = { readonly id: number } & (
  | ({ readonly kind: 'entry' } & LdapEntry)
  | { readonly kind: 'reference' }
  | ({ readonly kind: 'result'; readonly operation: (typeof RESULTS)[number] } & LdapResult)
)

/** Reads one message. Of an entry it keeps only the wanted attributes. */
export const readResponse = (message: Buffer, wanted: ReadonlySet<string>): LdapResponse =>
  orNotLdap(() => parse(message, wanted))

function parse(message: Buffer, wanted: ReadonlySet<string>): LdapResponse {
  const reader = new BerReader(message).element(TAG.sequence)
  const id = reader.integer()
  const { tag } = reader
  if (tag === OPERATION.entry) return { id, kind: 'entry', ...readEntry(reader.element(tag), wanted) }
  if (tag === OPERATION.reference) return { id, kind: 'reference' }
  const operation = RESULTS.find((name) => OPERATION[name] === tag) ?? failDirectory('not_ldap', {}, 'operation')
  return { id, kind: 'result', operation, ...readResult(reader, OPERATION[operation]) }
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

/** Reads an entry and copies its values, so that the message can be freed. */
function readEntry(reader: BerReader, wanted: ReadonlySet<string>): LdapEntry {
  const dn = reader.text()
  const list = reader.element(TAG.sequence)
  const attributes = new Map<string, string[]>()
  while (!list.isAtEnd) {
    const attribute = list.element(TAG.sequence)
    // Options such as `;lang-zh` belong to their attribute (RFC 4512 §2.5); its plain values come first.
    const [name = '', ...options] = attribute.text().toLowerCase().split(';')
    if (!wanted.has(name)) continue
    const values = readValues(attribute.element(TAG.set), BINARY.has(name))
    const known = attributes.get(name) ?? []
    attributes.set(name, options.length === 0 ? [...values, ...known] : [...known, ...values])
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

/** Runs `read`. A malformed message becomes the failure `not_ldap`. */
export function orNotLdap<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof BerError) return failDirectory('not_ldap', {}, error.message)
    throw error
  }
}

/** Result codes (RFC 4511 §A) with the same meaning for every operation. */
const GENERAL: Readonly<Record<number, DirectoryFailure>> = {
  3: 'time_limit',
  4: 'size_limit',
  8: 'starttls_needed', // strongerAuthRequired
  10: 'base_elsewhere', // referral
  11: 'size_limit', // adminLimitExceeded
  12: 'paging_unsupported', // unavailableCriticalExtension; nothing else is asked for as critical
  13: 'starttls_needed', // confidentialityRequired
  50: 'access_denied',
  51: 'server_busy',
  52: 'server_busy', // unavailable
}
const SEARCH: Readonly<Record<number, DirectoryFailure>> = {
  1: 'access_denied', // Active Directory: "a successful bind must be completed on the connection"
  17: 'filter_invalid', // undefinedAttributeType
  18: 'filter_invalid', // inappropriateMatching
  21: 'filter_invalid', // invalidAttributeSyntax
  32: 'base_missing',
  34: 'base_invalid',
  87: 'filter_invalid', // filter error, as some servers pass their library's code on
}
const BIND: Readonly<Record<number, DirectoryFailure>> = {
  7: 'bind_unsupported', // authMethodNotSupported
  19: 'bind_locked', // constraintViolation: 389-ds after too many wrong passwords
  32: 'bind_refused', // noSuchObject
  34: 'bind_refused', // invalidDNSyntax
  48: 'bind_refused', // inappropriateAuthentication: an entry without a password
  49: 'bind_refused', // invalidCredentials
  53: 'bind_disabled', // unwillingToPerform: 389-ds for an inactivated account
}
/** Failures by the codes in the text of Active Directory: `… data 52e, v4563` (MS-ERREF §2.2). */
const BIND_DETAIL: Readonly<Record<string, DirectoryFailure>> = {
  '530': 'bind_restricted', // not at this time
  '531': 'bind_restricted', // not from this machine
  '532': 'bind_expired_password',
  '533': 'bind_disabled',
  '701': 'bind_expired_account',
  '773': 'bind_expired_password', // must be changed first
  '775': 'bind_locked',
}
const INVALID_CREDENTIALS = 49

export function checkBind({ code, words }: LdapResult): void {
  if (code === 0) return
  const [, detail = ''] = /\bdata ([0-9a-f]{3,4})\b/i.exec(words) ?? []
  const known = code === INVALID_CREDENTIALS ? BIND_DETAIL[detail.toLowerCase()] : undefined
  fail(known ?? BIND[code] ?? GENERAL[code], code)
}

export function checkSearch({ code }: LdapResult): void {
  if (code !== 0) fail(SEARCH[code] ?? GENERAL[code], code)
}

/** Checks a reply to StartTLS: a server without a certificate answers protocolError or unavailable. */
export function checkStartTls({ code }: LdapResult): void {
  if (code !== 0) fail(code === 51 ? 'server_busy' : 'starttls_unsupported', code)
}

const fail = (reason: DirectoryFailure | undefined, code: number): never =>
  reason === undefined ? failDirectory('server_error', { code }) : failDirectory(reason)
