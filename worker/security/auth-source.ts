import { SOURCE_CODE } from '#contract/auth-source/limits.ts'
import { placeInRow } from './sealed.ts'
import { base64url, hmac, randomText, sha256, timingSafeEqual } from './secrets.ts'

/* Secrets and hashes of auth sources and of sign-ins through them (WeCom, Feishu, DingTalk). */

/** Sealed place of the secret of an application at a vendor, by the id of the source. */
export const authSecretPlace = placeInRow<number>('auth_sources', 'secret_sealed')

/** New auth source ID of an account, without its dash. */
export const newSourceCode = (): string => randomText(SOURCE_CODE.alphabet, SOURCE_CODE.length)

/** Hash of the state of an authorization, or of the token of a confirmation, which a browser brings back. */
export const authStateHash = (secret: string, state: string): Promise<string> => hmac(secret, `auth-state:${state}`)

/** Checks a verifier against its challenge (RFC 7636, S256). */
export const isMatchingVerifier = async (challenge: string, verifier: string): Promise<boolean> =>
  timingSafeEqual(base64url(await sha256(verifier)), challenge)
