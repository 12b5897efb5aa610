import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { DirectoryError, failDirectory } from './failure.ts'
import { checkPath } from './constraints.ts'
import type { CheckChain } from './peer-certificate.ts'

/* Trust in the certificate chain of a server (RFC 5280 §6). */

const DEPTH_MAX = 8
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const ANY_PURPOSE = '2.5.29.37.0'

export interface Trust {
  /** Host name or address that the server's certificate must have. */
  readonly name: string
  readonly anchors: readonly X509Certificate[]
  readonly now: number
}

/**
 * Creates the path validation that directories need: name (RFC 6125), time, purpose, signatures up to an anchor, and the
 * constraints of the path (constraints.ts). An anchor may also be an intermediate or the server's own certificate.
 * Revocation and policies are not checked.
 */
export function createChainCheck({ name, anchors, now }: Trust): CheckChain {
  return (chain) => {
    const [own, ...others] = chain
    if (!own) return failDirectory('certificate_invalid')
    checkName(own, name)
    checkTime(own, now)
    checkPurpose(own)
    checkIssuers(own, others, { name, anchors, now })
  }
}

/** A name counts as subjectAltName alone (RFC 9525 §2); one in the subject gets a sentence of its own. */
function checkName(own: X509Certificate, name: string): void {
  if (isNamed(own, name, 'never')) return
  if (isNamed(own, name, 'default')) failDirectory('name_in_subject', { name: toShortText(name) })
  failDirectory('wrong_name', { names: listNames(own) })
}

function isNamed(own: X509Certificate, name: string, subject: 'never' | 'default'): boolean {
  try {
    return (isIP(name) === 0 ? own.checkHost(name, { subject }) : own.checkIP(name)) !== undefined
  } catch {
    return failDirectory('certificate_invalid') // OpenSSL cannot read its names
  }
}

const LENGTH_MAX = 200

/** Shortens text of a server or certificate to one line without control characters. */
export function toShortText(text: string): string {
  const line = text
    .replaceAll(/\s*\n\s*/g, ', ')
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= LENGTH_MAX ? line : `${characters.slice(0, LENGTH_MAX - 1).join('')}…`
}

export function listNames({ subjectAltName, subject }: X509Certificate): string {
  const names = subjectAltName?.replaceAll(/(?:DNS|IP Address):/g, '') ?? /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
  return toShortText(names)
}

export const validFrom = (certificate: X509Certificate): number => Date.parse(certificate.validFrom)
export const validUntil = (certificate: X509Certificate): number => Date.parse(certificate.validTo)
const isInTime = (certificate: X509Certificate, now: number): boolean =>
  validFrom(certificate) <= now && now <= validUntil(certificate)

function checkTime(own: X509Certificate, now: number): void {
  if (isInTime(own, now)) return
  if (now < validFrom(own)) failDirectory('certificate_not_yet_valid', { from: validFrom(own) })
  failDirectory('certificate_expired', { until: validUntil(own) })
}

/** Checks the extended key usage, if any (Node names it keyUsage). */
function checkPurpose({ keyUsage }: X509Certificate): void {
  const purposes: readonly string[] | undefined = keyUsage
  if (!purposes || purposes.length === 0) return
  if (!purposes.includes(SERVER_AUTH) && !purposes.includes(ANY_PURPOSE)) failDirectory('certificate_purpose')
}

const isSame = (a: X509Certificate, b: X509Certificate): boolean => a.fingerprint256 === b.fingerprint256
const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && isSignedBy(certificate, issuer)

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey)
  } catch {
    return false // a key of a kind that the runtime does not know
  }
}

/** Most steps of the search for a path, for certificates that sign each other in circles. */
const STEPS_MAX = 100

/**
 * Searches a path up from the server's certificate. Each step is a valid CA that signed the one before, and the path
 * satisfies the constraints of its certificates. Without a path it throws the first failure.
 */
function checkIssuers(own: X509Certificate, others: readonly X509Certificate[], { name, anchors, now }: Trust): void {
  let failure: unknown
  let last = own
  let steps = 0
  const fail = (error: unknown) => void (failure ??= error)
  const isPath = (path: readonly X509Certificate[]): boolean => {
    try {
      checkPath(path, name)
      return true
    } catch (error) {
      fail(error)
      return false
    }
  }
  const search = (path: readonly X509Certificate[]): boolean => {
    const current = path.at(-1) ?? own
    if (anchors.some((anchor) => isSame(anchor, current))) return isPath(path)
    last = current
    if (path.length > DEPTH_MAX || ++steps > STEPS_MAX) return false
    const issuers = anchors.filter((anchor) => isIssuedBy(current, anchor))
    if (issuers.some((anchor) => isInTime(anchor, now) && isPath([...path, anchor]))) return true
    const expired = issuers.find((anchor) => !isInTime(anchor, now))
    const isFound = others.some(
      (other) =>
        !path.some((each) => isSame(each, other)) &&
        isInTime(other, now) &&
        isIssuedBy(current, other) &&
        search([...path, other]),
    )
    if (!isFound && expired) fail(new DirectoryError('ca_expired', { until: validUntil(expired) }))
    return isFound
  }
  if (search([own])) return
  throw failure ?? new DirectoryError('wrong_ca', { issuer: toShortText(last.issuer) })
}
