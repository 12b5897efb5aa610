/* Failures of a directory connection: network, TLS and LDAP. */

/** Reasons of a failure. Each has its own sentence; texts of servers and libraries are never shown. */
export const DIRECTORY_FAILURES = [
  // Network
  'unreachable',
  'refused',
  'name_unknown',
  'timeout',
  'private_address', // public mode
  'port_not_allowed', // public mode
  'address_nameless', // public mode: a literal address that the certificate's name does not resolve to
  'router_offline', // private mode
  'router_too_old', // private mode: its agent has no tunnels
  'router_silent', // private mode: it was asked and opened no tunnel
  'router_refused', // private mode: an address that the agent does not dial
  'router_busy', // private mode: all its streams are in use
  'closed', // in the middle of a session
  // TLS
  'wrong_ca', // params: issuer
  'wrong_public_ca', // no public authority issued it
  'wrong_name', // params: names
  'name_in_subject', // and in no subjectAltName; params: name
  'certificate_expired', // params: until
  'certificate_not_yet_valid', // params: from
  'certificate_purpose', // not a server's
  'certificate_invalid', // unreadable, or of a kind that no client accepts
  'certificate_not_allowed', // by an authority above it, or for an unknown critical extension
  'certificate_weak', // MD5, SHA-1, or a short RSA key
  'ca_expired', // the uploaded one; params: until
  'protocol_too_old',
  'ciphers_too_old', // RSA key exchange, CBC or DHE alone
  'client_certificate_needed',
  'not_tls',
  'tls_failed', // altered on the way, or no proof of the certificate's key
  // LDAP
  'not_ldap',
  'tls_needed', // a TLS server that got an unencrypted request
  'starttls_needed', // the server refuses a bind without encryption
  'starttls_unsupported',
  'paging_unsupported',
  // Bind
  'bind_refused', // name or password is wrong
  'bind_disabled',
  'bind_expired_account',
  'bind_expired_password', // also: must be changed first
  'bind_locked',
  'bind_restricted', // not at this time, not from here
  'bind_unsupported', // the server takes no simple bind
  // Search
  'base_missing',
  'base_invalid',
  'base_elsewhere', // the answer is a referral
  'access_denied',
  'filter_invalid',
  'size_limit',
  'time_limit',
  'server_busy',
  'server_error', // params: code
  // Listing
  'no_id', // entries without objectGUID, entryUUID, ipaUniqueID and nsUniqueId
  'duplicate_id',
  'too_large', // a message, an entry or the whole listing
  'too_many', // users or pages
  'incomplete', // pages that never end, or that end too early
] as const
export type DirectoryFailure = (typeof DIRECTORY_FAILURES)[number]

/** Parameters of a failure's sentence: short text without control characters. */
type FailureParams = Readonly<Record<string, string | number>>

/** Error with its reason. The message is for logs and contains no text of a server. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError'
  readonly reason: DirectoryFailure
  readonly params: FailureParams
  constructor(reason: DirectoryFailure, params: FailureParams = {}, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`)
    this.reason = reason
    this.params = params
  }
}

export function failDirectory(reason: DirectoryFailure, params: FailureParams = {}, detail = ''): never {
  throw new DirectoryError(reason, params, detail)
}

/** Fails for a peer that breaks the protocol, or for bytes that were altered on the way. */
export const failTls = (detail: string): never => failDirectory('tls_failed', {}, detail)

/** Failures by alert description (RFC 8446 §6), for alerts that a person can act on. */
const ALERTS: Readonly<Record<number, DirectoryFailure>> = {
  40: 'ciphers_too_old', // handshake_failure: no cipher in common
  70: 'protocol_too_old', // protocol_version
  71: 'ciphers_too_old', // insufficient_security
  112: 'wrong_name', // unrecognized_name
  116: 'client_certificate_needed', // certificate_required
}
const CLOSE_NOTIFY = 0

/** Accepts the alert of a regular end; every other alert is an error. */
export function checkAlert(alert: Uint8Array): void {
  const description = alert.length === 2 ? alert[1] : undefined
  if (description === CLOSE_NOTIFY) return
  const reason = description === undefined ? undefined : ALERTS[description]
  if (reason === undefined) failTls(`alert ${description ?? 'malformed'}`)
  else failDirectory(reason, reason === 'wrong_name' ? { names: '' } : {}, `alert ${description}`)
}
