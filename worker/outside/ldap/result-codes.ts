import { type DirectoryFailure, failDirectory } from '#outside/tls/failure.ts'
import type { LdapResult } from './response.ts'

/** Result codes (RFC 4511 §A) that mean the same wherever they stand. */
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
/** Active Directory says more in its text: `… data 52e, v4563` (MS-ERREF §2.2). */
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

/** A server without a certificate answers protocolError or unavailable; a second StartTLS operationsError. */
export function checkStartTls({ code }: LdapResult): void {
  if (code !== 0) fail(code === 51 ? 'server_busy' : 'starttls_unsupported', code)
}

const fail = (reason: DirectoryFailure | undefined, code: number): never =>
  reason === undefined ? failDirectory('server_error', { code }) : failDirectory(reason)
