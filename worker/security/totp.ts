import { Secret, TOTP as Authenticator } from 'otpauth'
import { placeInRow } from './sealed.ts'
import { hmac, randomText } from './secrets.ts'
import { TOTP } from '#contract/login/limits.ts'

/* Second factor by an authenticator app (TOTP, RFC 6238): secrets, codes and recovery codes. */

/** Terms of the codes. SHA-1 is the one algorithm that every authenticator app takes. */
const TERMS = { algorithm: 'SHA1', digits: TOTP.digits, period: TOTP.periodSeconds } as const

/** New secret in base32. */
export const createTotpSecret = (): string => new Secret({ size: TOTP.secretBytes }).base32

interface TotpLabel {
  readonly secret: string
  /** Brand; '' for none. */
  readonly issuer: string
  readonly label: string
}

/** `otpauth://totp/…`, the content of the QR code. */
export const totpUri = ({ secret, issuer, label }: TotpLabel): string =>
  new Authenticator({ ...TERMS, secret, issuer, label }).toString()

/** Time step of a code: the present one, the one before or the one after. Null for a wrong code. */
export function findTotpStep(secret: string, code: string, now: number): number | null {
  const found = { ...TERMS, token: code, secret: Secret.fromBase32(secret), timestamp: now, window: TOTP.window }
  const delta = Authenticator.validate(found)
  return delta === null ? null : Math.floor(now / (TOTP.periodSeconds * 1000)) + delta
}

/** Sealed place of a person's secret; `totpSetupPlace` is that of a set-up before its first code. */
export const totpSecretPlace = placeInRow<string>('totp_factors', 'secret_sealed')
export const totpSetupPlace = placeInRow<string>('totp_factors', 'setup')

/** Characters of recovery codes, without 0 and O, 1 and I, which people misread. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** New recovery codes of 50 random bits each. Nobody guesses one, so a keyed hash without salt is enough. */
export async function createRecoveryCodes(secret: string) {
  const codes = Array.from({ length: TOTP.recoveryCodes }, () => randomText(ALPHABET, TOTP.recoveryLength))
  return {
    /** Codes as the page shows them: ABCDE-23456. */
    shown: codes.map((code) => code.replace(/^.{5}/, '$&-')),
    hashes: await Promise.all(codes.map((code) => recoveryCodeHash(secret, code))),
  }
}

/** Stored hash of a recovery code. The code must be in capitals, without its hyphen. */
export const recoveryCodeHash = (secret: string, code: string): Promise<string> => hmac(secret, `totp-recovery:${code}`)
