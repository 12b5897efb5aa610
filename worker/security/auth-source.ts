import { AUTH_LOGIN, SOURCE_CODE } from '#contract/auth-source/limits.ts'
import { placeInRow } from './sealed.ts'
import { base64url, hmac, randomText, sha256, timingSafeEqual } from './secrets.ts'

/* Secrets and hashes of auth sources and of sign-ins through them (WeCom, Feishu, DingTalk). */

/** Sealed place of the secret of an application at a vendor, by the id of the source. */
export const authSecretPlace = placeInRow<number>('auth_sources', 'secret_sealed')

/** New auth source ID of an account, without its dash. */
export const newSourceCode = (): string => randomText(SOURCE_CODE.alphabet, SOURCE_CODE.length)

/** Hash of the state of an authorization, or of the token of a confirmation, which a browser brings back. */
export const authStateHash = (secret: string, state: string): Promise<string> => hmac(secret, `auth-state:${state}`)

/** Code that client and page show for a sign-in, so that the person sees that both belong together. */
export async function authConfirmCode(secret: string, requestId: string): Promise<string> {
  const hash = Buffer.from(await hmac(secret, `auth-code:${requestId}`), 'base64url')
  return String(hash.readUIntBE(0, 6) % 10 ** AUTH_LOGIN.confirmDigits).padStart(AUTH_LOGIN.confirmDigits, '0')
}

/** Verifier towards the vendor (RFC 7636). It is derived from the state, so no row has to keep it. */
export const vendorVerifier = (secret: string, state: string): Promise<string> => hmac(secret, `auth-verifier:${state}`)

/** Challenge of a verifier (RFC 7636, S256). */
export const challengeOf = async (verifier: string): Promise<string> => base64url(await sha256(verifier))

export const isMatchingVerifier = async (challenge: string, verifier: string): Promise<boolean> =>
  timingSafeEqual(await challengeOf(verifier), challenge)
