import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { type Violation, violation, throwIf } from '../contract/errors.ts'
import { FULL_BUDGET, stepHashBudget } from '../domain/login/hash-budget.ts'

/**
 * scrypt at N=2^14, r=8, p=5: the OWASP row that fits a Worker's 128 MB and CPU time. PBKDF2 is no choice: production
 * caps it at 100,000 iterations although local runs do not (workerd#1346).
 */
const COST = { N: 2 ** 14, r: 8, p: 5 } as const
const KEY_BYTES = 32

/** `scrypt$N$r$p$salt$key`, salt and key in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Takes as long for a missing account (`stored` null) as for a wrong password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = (stored ?? NOBODY).split('$')
  const expected = Buffer.from(key, 'base64')
  const found = await derive(password, Buffer.from(salt, 'base64'), { N: Number(n), r: Number(r), p: Number(p) })
  return timingSafeEqual(found, expected) && stored !== null
}

const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`

/**
 * The runtime computes scrypt on the isolate's only thread, so there are never two at a time and nothing could be gained
 * by a queue: what many at once would take is everybody else's time. This is the share they get.
 */
let budget = FULL_BUDGET

/** Why no password can be hashed now, or null. Ask before a captcha or a try is spent on the way to one. */
export function checkHashing(): Violation | null {
  const { waitMs } = stepHashBudget(budget, Date.now())
  return waitMs > 0 ? violation('TOO_OFTEN', { retry_after: Math.ceil(waitMs / 1000) }) : null
}

/** Throws what `checkHashing` finds. */
function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  throwIf(checkHashing())
  budget = stepHashBudget(budget, Date.now()).next
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
