import { X509Certificate } from 'node:crypto'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { failDirectory } from './failure.ts'

/** Decides whether a server's chain, its own certificate first, is trusted; throws a DirectoryError. */
export type CheckChain = (chain: readonly X509Certificate[]) => void

/** The server's own certificate, of a chain that was checked. */
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
