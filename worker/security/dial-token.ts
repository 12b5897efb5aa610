import { hmac, timingSafeEqual } from './secrets.ts'

/* Token with which a software member dials: `id.mac`. It is the password of the dial, so it fits into 128 characters. */

/** A dial that the service allows until the token ends. */
export interface DialClaims {
  readonly memberId: number
  /** Number of password changes: the next one ends the token. */
  readonly credentialVersion: number
  readonly networkNumber: string
  /** Epoch ms, in whole seconds. */
  readonly expiresAt: number
  /** Profile that the token is in, which may be revoked by itself; null for a token of the client application. */
  readonly profileId: number | null
}

export async function createDialToken(secret: string, claims: DialClaims): Promise<string> {
  const { memberId, credentialVersion, networkNumber, expiresAt, profileId } = claims
  const profile = profileId === null ? [] : [profileId]
  const id = [memberId, credentialVersion, networkNumber, Math.floor(expiresAt / 1000), ...profile].join('~')
  return `${id}.${await mac(secret, id)}`
}

/** True for a text in the form of a token, whoever made it. */
export const isDialToken = (text: string): boolean => FORM.test(text)

/** Reads a token, also an expired one; null for a text that this service did not make. */
export async function readDialToken(secret: string, text: string): Promise<DialClaims | null> {
  const [, id = '', member, version, networkNumber = '', seconds, profile, shown = ''] = FORM.exec(text) ?? []
  if (!timingSafeEqual(shown, await mac(secret, id))) return null
  return {
    memberId: Number(member),
    credentialVersion: Number(version),
    networkNumber,
    expiresAt: Number(seconds) * 1000,
    profileId: profile === undefined ? null : Number(profile),
  }
}

const FORM = /^((\d{1,15})~(\d{1,9})~([\w-]{1,32})~(\d{1,11})(?:~(\d{1,12}))?)\.([A-Za-z0-9_-]{43})$/

const mac = (secret: string, id: string): Promise<string> => hmac(secret, `dial-token:${id}`)
