import { hmac, randomText } from './secrets.ts'
import { TOTP } from '#contract/login/limits.ts'

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
