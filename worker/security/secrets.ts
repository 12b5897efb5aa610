/* Keyed hashes, random values and encodings. Text is UTF-8; results are base64url without padding unless named otherwise. */

const encoder = new TextEncoder()
const toBytes = (value: string | Uint8Array) =>
  new Uint8Array(typeof value === 'string' ? encoder.encode(value) : value)

/** Keyed hash of a text. An empty secret fails: WebCrypto refuses it. */
export const hmac = async (secret: string, text: string): Promise<string> => base64url(await sign(secret, text))

/**
 * Raw HMAC-SHA256 for the signatures of providers' APIs. An empty key is sent as one zero byte, which is the same key,
 * because HMAC pads with zeros.
 */
export const hmacSha256 = async (key: string | Uint8Array, text: string | Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await sign(key.length > 0 ? key : new Uint8Array(1), text))

async function sign(key: string | Uint8Array, text: string | Uint8Array): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', toBytes(key), algorithm, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, toBytes(text))
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

export const randomHex = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** Remembers results by secret or setting, which is the same for every request of an isolate. */
export function remembered<T>(create: (secret: string) => T): (secret: string) => T {
  const known = new Map<string, T>()
  return (secret) => {
    const found = known.get(secret) ?? create(secret)
    known.set(secret, found)
    return found
  }
}

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

const BUFFERED = 128

/** Cryptographic random numbers, uniform in [0, 1). They are buffered, because a call of `getRandomValues` is slow. */
export function createRandom(): () => number {
  const buffer = new Uint32Array(BUFFERED)
  let used = BUFFERED
  return () => {
    if (used === BUFFERED) {
      crypto.getRandomValues(buffer)
      used = 0
    }
    return (buffer[used++] ?? 0) / 2 ** 32
  }
}

export const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  Buffer.from(new Uint8Array(bytes)).toString('base64url')

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
