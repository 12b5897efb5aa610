import { hmac, randomToken, timingSafeEqual } from './secrets.ts'

/* Proof-of-work challenges: signed texts. The database stores only solved ones, against replay. */

/** Content of a challenge; its text also carries the expiry and a signature. */
interface Challenge {
  readonly purpose: string
  readonly id: string
}

export async function createChallenge(secret: string, purpose: string, expiresAt: number): Promise<string> {
  const body = [purpose, expiresAt, randomToken(12)].join('.')
  return `${body}.${await sign(secret, body)}`
}

/** Returns null for a challenge that is too old or not of this service. */
export async function readChallenge(secret: string, text: string, now: number): Promise<Challenge | null> {
  const [, body = '', purpose = '', expiresAt, id = '', signature = ''] =
    /^((\w+)\.(\d+)\.([\w-]+))\.([\w-]+)$/.exec(text) ?? []
  const isOurs = timingSafeEqual(signature, await sign(secret, body))
  return isOurs && Number(expiresAt) > now ? { purpose, id } : null
}

const sign = (secret: string, body: string): Promise<string> => hmac(secret, `challenge:${body}`)
