import { X509Certificate } from 'node:crypto'
import { PUBLIC_ROOTS } from '#public-roots'
import { parsePem } from './certificate-file.ts'
import { failDirectory } from '#outside/tls/failure.ts'

export type CaChoice = { readonly kind: 'file'; readonly pem: string } | { readonly kind: 'public' }

/** Parsed once an isolate: 121 certificates take 8 ms. */
let publicRoots: readonly X509Certificate[] | undefined

/** What a server's chain must lead to. */
export function toAnchors(ca: CaChoice): readonly X509Certificate[] {
  if (ca.kind === 'file') return parsePem(ca.pem) ?? failDirectory('certificate_invalid', {}, 'uploaded file')
  publicRoots ??= PUBLIC_ROOTS.map((der) => new X509Certificate(Buffer.from(der, 'base64')))
  return publicRoots
}
