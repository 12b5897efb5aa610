import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { rootCertificates } from 'node:tls'
import { inRoot } from './paths.ts'

/* Writes the root certificates of Node (Mozilla's list) as a module of base64 DER for the Worker. */

/** Module that `imports` of package.json names, so that wrangler and vite find it. */
const FILE = '.wrangler/public-roots.js'

/**
 * Directories in public mode with a certificate of a public CA are checked against them, because the runtime's own list
 * cannot be read.
 */
export function writePublicRoots(): void {
  const ders = rootCertificates.map((pem) => pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''))
  const source = `export const PUBLIC_ROOTS = ${JSON.stringify(ders, null, 1)}\n`
  const path = inRoot(FILE)
  if (existsSync(path) && readFileSync(path, 'utf8') === source) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, source)
}
