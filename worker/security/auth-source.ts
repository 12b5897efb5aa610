import { SOURCE_CODE } from '#contract/auth-source/limits.ts'
import type { SealedPlace } from './sealed.ts'
import { base64url, hmac, randomText, sha256, timingSafeEqual } from './secrets.ts'

/** The secret of an application at WeCom, Feishu or DingTalk. */
export const authSecretPlace = (accountId: number, sourceId: number): SealedPlace => ({
  table: 'auth_sources',
  column: 'secret_sealed',
  accountId,
  row: String(sourceId),
})

/** An account's auth source ID, without its dash. */
export const newSourceCode = (): string => randomText(SOURCE_CODE.alphabet, SOURCE_CODE.length)

/** Of what a browser brings back: the state of an authorization, or the token of a confirmation. */
export const authStateHash = (secret: string, state: string): Promise<string> => hmac(secret, `auth-state:${state}`)

/** Checks a verifier against its challenge (RFC 7636, S256). */
export const isMatchingVerifier = async (challenge: string, verifier: string): Promise<boolean> =>
  timingSafeEqual(base64url(await sha256(verifier)), challenge)
