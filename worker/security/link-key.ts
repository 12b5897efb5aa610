import { type KeyObject, createHmac, createSecretKey } from 'node:crypto'

/**
 * Derives probe keys of links, HMAC-SHA-256 in hex: of a network's secret (hex) and a link's id. Secrets are imported
 * once: an import costs several times the hash, and a centre has a link for each point.
 */
export function createLinkKeys(): (secret: string, linkId: string) => string {
  const keys = new Map<string, KeyObject>()
  const keyOf = (secret: string): KeyObject => {
    const key = keys.get(secret) ?? createSecretKey(Buffer.from(secret, 'hex'))
    keys.set(secret, key)
    return key
  }
  return (secret, linkId) => createHmac('sha256', keyOf(secret)).update(linkId).digest('hex')
}
