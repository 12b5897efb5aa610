import { createHash, createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { codeText, groupedCode } from '#contract/kernel/input/typed-text.ts'
import { hmac, randomText, remembered } from './secrets.ts'

/* Secrets of devices: activation code, fingerprint of the key, probe keys of links, control keys of networks. */

/** Characters of codes, without 0/O and 1/I/L, which look alike on a label. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** New code XXXX-XXXX-XXXX of 59 bits. It is shown once and printed on the box. */
export function newActivationCode(): string {
  const text = randomText(ALPHABET, 12)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

/** Stored hash of an activation code (devices.activation_hash). Case, dashes and spaces do not matter. */
export function activationHash(secret: string, serial: string, code: string): Promise<string> {
  const typed = groupedCode(code).toUpperCase()
  return hmac(secret, `activation:${codeText(serial).toUpperCase()}:${typed}`)
}

/** Stored form of a device's public key (devices.public_key), by the `x` of its JWK. */
export const pinnedKey = (x: string): string => JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })

/** SHA-256 of a device's public key: it names the pinned key without the key itself. */
export const keyFingerprint = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex')

/**
 * Derives the probe keys of links: HMAC-SHA-256 (hex) of a link's id under the secret (hex) of its network. A secret is
 * imported once: an import costs several times the hash, and a centre has a link for each point.
 */
export function createLinkKeys(): (secret: string, linkId: string) => string {
  const keyOf = remembered((secret) => createSecretKey(Buffer.from(secret, 'hex')))
  return (secret, linkId) => createHmac('sha256', keyOf(secret)).update(linkId).digest('hex')
}

const CONTROL_KEY_BYTES = 256

/**
 * Derives the key of the control channel of a network (HKDF-SHA-256 of its secret, hex in and out). All members and clients
 * of the network have it: it keeps strangers from the ports, and proves no membership.
 */
export const controlKey = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', 'control', CONTROL_KEY_BYTES)).toString('hex')
