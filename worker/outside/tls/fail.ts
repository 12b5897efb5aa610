import { type DirectoryFailure, failDirectory } from './failure.ts'

/** A peer that breaks the protocol, or bytes that were altered on the way. */
export const failTls = (detail: string): never => failDirectory('tls_failed', {}, detail)

/** Alert descriptions (RFC 8446 §6) whose reason a person can act on. */
const ALERTS: Readonly<Record<number, DirectoryFailure>> = {
  40: 'ciphers_too_old', // handshake_failure: no cipher in common
  70: 'protocol_too_old', // protocol_version
  71: 'ciphers_too_old', // insufficient_security
  112: 'wrong_name', // unrecognized_name
  116: 'client_certificate_needed', // certificate_required
}
const CLOSE_NOTIFY = 0

/** Passes the regular end of a connection; every other alert is an error. */
export function checkAlert(alert: Uint8Array): void {
  const description = alert.length === 2 ? alert[1] : undefined
  if (description === CLOSE_NOTIFY) return
  const reason = description === undefined ? undefined : ALERTS[description]
  if (reason === undefined) failTls(`alert ${description ?? 'malformed'}`)
  else failDirectory(reason, reason === 'wrong_name' ? { names: '' } : {}, `alert ${description}`)
}
