/* Raw HMAC-SHA256 and encodings for the signatures of providers' APIs. Text is UTF-8. */

const encoder = new TextEncoder()
const toBytes = (value: string | Uint8Array) => (typeof value === 'string' ? encoder.encode(value) : value)

/** An empty key is sent as one zero byte, which is the same key: WebCrypto refuses empty keys, and HMAC pads with zeros. */
export async function hmacSha256(key: string | Uint8Array, text: string | Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = toBytes(key)
  const imported = await crypto.subtle.importKey('raw', raw.length > 0 ? raw : new Uint8Array(1), algorithm, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, toBytes(text)))
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
