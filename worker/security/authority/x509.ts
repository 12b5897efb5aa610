import { remembered } from '#security/secrets.ts'

/* Library of certificates. It is loaded with the first signature: no other start of an isolate waits for it. */

export const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export type X509 = Awaited<ReturnType<typeof load>>

async function load() {
  await import('reflect-metadata') // its container of parsers needs this first
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(crypto)
  return x509
}

const loaded = remembered(load)
export const loadX509 = (): Promise<X509> => loaded('')

/** PEM as files hold it, RFC 7468: lines of 64 characters, the last one ended. */
export function toPem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
