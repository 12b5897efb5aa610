/* Keyed hashes and random values. Text is UTF-8; results are base64url without padding unless named hex. */

const encoder = new TextEncoder()

export async function hmac(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return base64url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

export const sha256 = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))

export function timingSafeEqual(a: string, b: string): boolean {
  const [left, right] = [encoder.encode(a), encoder.encode(b)]
  let difference = left.length ^ right.length
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i % Math.max(right.length, 1)] ?? 0)
  return difference === 0
}

export const randomToken = (bytes = 24): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)))

export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, '0')).join('')

/** Row id of 48 random bits. Unlike the next id in order, it does not return after a deletion. */
export function randomId(): number {
  const [high = 0, middle = 0, low = 0] = crypto.getRandomValues(new Uint16Array(3))
  return (high * 65_536 + middle) * 65_536 + low + 1
}

/** `length` characters of `alphabet`, each equally likely. */
export function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

export function base64url(bytes: ArrayBuffer | Uint8Array): string {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)
  return btoa(String.fromCharCode(...view))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
