import { hmac, sha256, timingSafeEqual } from './secrets.ts'

/*
 * Keyed hashes of one-time secrets (captchas, codes, links), so that a leaked database reveals none of them; keys that count
 * failed sign-ins, registrations and recoveries, and the digest of a proof of work.
 */

/** Characters that no captcha shows (domain/verify/glyphs.ts), and the letters that people mistake for them. */
const MISREAD: Readonly<Record<string, string>> = { 4: 'A', 6: 'G', 7: '2', Z: '2', V: 'Y' }

/** Hash of a captcha's text, bound to its id and purpose. Upper and lower case and misread letters give the same hash. */
export function captchaHash(secret: string, purpose: string, uniqid: string, text: string): Promise<string> {
  const read = [...text.toUpperCase()].map((char) => MISREAD[char] ?? char).join('')
  return hmac(secret, `captcha:${purpose}:${uniqid}:${read}`)
}

/** True if the typed text matches the consumed captcha, and the captcha has not expired. */
export const isCaptchaRight = (
  row: { readonly answer: string; readonly expiresAt: number } | undefined,
  hash: string,
  now: number,
): boolean => row !== undefined && row.expiresAt > now && timingSafeEqual(row.answer, hash)

/** Digest of a proof of work for a captcha. A captcha is single use, and so is its proof. */
export const workDigest = (uniqid: string, nonce: string): Promise<Uint8Array> => sha256(`${uniqid}.${nonce}`)

/** Hash of an unknown name for the counters of sign-ins: people type passwords into the wrong field. */
export const unknownNameHash = (secret: string, name: string): Promise<string> => hmac(secret, `login-name:${name}`)

export const registrationKey = async (secret: string, target: string): Promise<string> =>
  `registration:${await hmac(secret, `registration:${target}`)}`

/** Key of the failed recoveries of a name, known or unknown, by its keyed digest. */
export const recoveryKey = (nameHash: string): string => `recovery:${nameHash}`

/** Hash of a one-time password. Its row binds it to target and account. */
export const otpHash = (secret: string, purpose: string, code: string): Promise<string> =>
  hmac(secret, `code:${purpose}:${code}`)

export const loginTicketHash = (secret: string, ticket: string): Promise<string> =>
  hmac(secret, `login-ticket:${ticket}`)

/** Hash of the stored password for which a login ticket was issued. */
export const credentialHash = (secret: string, stored: string): Promise<string> => hmac(secret, `credential:${stored}`)

export const tokenLinkHash = (secret: string, token: string): Promise<string> => hmac(secret, `token-link:${token}`)
