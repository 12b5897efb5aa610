import { inject } from 'vitest'
import type { OpensslResult, OpensslRun } from '../fakes/openssl.ts'

/* OpenSSL as tests inside workerd reach it. */

export async function openssl(args: readonly string[], files: OpensslRun['files']): Promise<OpensslResult> {
  const response = await fetch(inject('openssl').url, { method: 'POST', body: JSON.stringify({ args, files }) })
  return (await response.json()) as OpensslResult
}

interface Chain {
  readonly ca: string
  readonly certificate: string
  /** Revocation list; absent: it is not checked. */
  readonly list?: string
}

/** Verifies a certificate for a purpose as OpenVPN does, under the list of its network. */
export function verify({ ca, certificate, list }: Chain, purpose: 'sslclient' | 'sslserver'): Promise<OpensslResult> {
  const files = { 'ca.pem': ca, 'own.pem': certificate, ...(list !== undefined && { 'list.pem': list }) }
  const check = list === undefined ? [] : ['-crl_check', '-CRLfile', 'list.pem']
  return openssl(['verify', '-x509_strict', '-purpose', purpose, ...check, '-CAfile', 'ca.pem', 'own.pem'], files)
}
