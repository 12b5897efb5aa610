import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { COST } from './password-cost.ts'

const KEY_BYTES = 32

/** `scrypt$N$r$p$salt$key`, salt and key in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Stored of a member whose password only its directory knows: no text is it. */
export const DIRECTORY_PASSWORD = '!'

/** Takes as long for a missing account (`stored` null), and for one without a hash, as for a wrong password. */
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
