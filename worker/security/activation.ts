import { hmac, randomText } from './secrets.ts'

/** No 0/O, 1/I/L, which look alike on a label. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** XXXX-XXXX-XXXX, 59 bits; shown once and printed on the box. */
export function newActivationCode(): string {
  const text = randomText(ALPHABET, 12)
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

/** Stored hash of an activation code (devices.activation_hash); case, dashes and spaces do not matter. */
export function activationHash(secret: string, serial: string, code: string): Promise<string> {
  const typed = code.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return hmac(secret, `activation:${serial.trim().toUpperCase()}:${typed}`)
}
