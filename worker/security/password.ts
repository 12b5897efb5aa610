import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { COST } from './password-cost.ts'

/* Password hashes: scrypt, and the comparison with a stored hash. */

const KEY_BYTES = 32

/** Hashes a password to `scrypt$N$r$p$salt$key`, with salt and key in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Stored hash of a member whose password only its directory knows. No password matches it. */
export const DIRECTORY_PASSWORD = '!'

/** Compares a password. A missing account (`stored` null) or one without a hash takes as long as a wrong password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const hasHash = stored !== null && stored.startsWith('scrypt$')
  const [, n, r, p, salt = '', key = ''] = (hasHash ? stored : DUMMY_HASH).split('$')
  const expected = Buffer.from(key, 'base64')
  const found = await derive(password, Buffer.from(salt, 'base64'), { N: Number(n), r: Number(r), p: Number(p) })
  return timingSafeEqual(found, expected) && hasHash
}

const DUMMY_HASH = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
