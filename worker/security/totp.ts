import { Secret, TOTP as Authenticator } from 'otpauth'
import type { SealedPlace } from './sealed.ts'
import { hmac, randomText } from './secrets.ts'
import { TOTP } from '#contract/login/limits.ts'

/** RFC 6238 with SHA-1: the one algorithm that every authenticator app takes. */
const TERMS = { algorithm: 'SHA1', digits: TOTP.digits, period: TOTP.periodSeconds } as const

/** Base32. */
export const createTotpSecret = (): string => new Secret({ size: TOTP.secretBytes }).base32

interface TotpLabel {
  readonly secret: string
  /** The brand, '' where there is none. */
  readonly issuer: string
  readonly label: string
}

/** `otpauth://totp/…`, the content of the QR code. */
export const totpUri = ({ secret, issuer, label }: TotpLabel): string =>
  new Authenticator({ ...TERMS, secret, issuer, label }).toString()

/** The time step whose code this is, now or one to either side; null for a code of none of them. */
export function findTotpStep(secret: string, code: string, now: number): number | null {
  const found = { ...TERMS, token: code, secret: Secret.fromBase32(secret), timestamp: now, window: TOTP.window }
  const delta = Authenticator.validate(found)
  return delta === null ? null : Math.floor(now / (TOTP.periodSeconds * 1000)) + delta
}

/** Sealed places of a person's second-factor secret, and of a set-up that awaits its first code. */
export const totpSecretPlace = (accountId: number, person: string): SealedPlace => ({
  table: 'totp_factors',
  column: 'secret_sealed',
  accountId,
  row: person,
})
export const totpSetupPlace = (accountId: number, person: string): SealedPlace => ({
  table: 'totp_factors',
  column: 'setup',
  accountId,
  row: person,
})

/** Without what is misread: 0 and O, 1 and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** 50 random bits each: nobody guesses one, so that a keyed hash without salt is enough. */
export async function createRecoveryCodes(secret: string) {
  const codes = Array.from({ length: TOTP.recoveryCodes }, () => randomText(ALPHABET, TOTP.recoveryLength))
  return {
    /** As a person reads them: ABCDE-23456. */
    shown: codes.map((code) => code.replace(/^.{5}/, '$&-')),
    hashes: await Promise.all(codes.map((code) => recoveryCodeHash(secret, code))),
  }
}

/** The code in capitals, without its hyphen. */
export const recoveryCodeHash = (secret: string, code: string): Promise<string> => hmac(secret, `totp-recovery:${code}`)
