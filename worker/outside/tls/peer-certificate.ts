import { X509Certificate } from 'node:crypto'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { failDirectory } from './failure.ts'

/* Parses the certificate chain that a server sends, and hands it to the trust check (trust.ts). */

/** Checks that a chain is trusted, with the server's own certificate first. Throws a DirectoryError. */
export type CheckChain = (chain: readonly X509Certificate[]) => void

/** Parses and checks a chain; returns the server's own certificate. */
export function acceptCertificate(ders: readonly Buffer[], checkChain: CheckChain): X509Certificate {
  if (ders.length > DIRECTORY.chainLength) return failDirectory('certificate_invalid', {}, 'length of the chain')
  const chain = ders.map(parse)
  const [own] = chain
  if (!own) return failDirectory('certificate_invalid', {}, 'no certificate')
  checkChain(chain)
  return own
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    return failDirectory('certificate_invalid', {}, 'unreadable')
  }
}
