import { hmac, randomToken, timingSafeEqual } from './secrets.ts'

/** A proof-of-work challenge: purpose, expiry and id are in it, signed, so that nothing is stored until it is solved. */
export interface Challenge {
  readonly purpose: string
  readonly id: string
}

export async function createChallenge(secret: string, purpose: string, expiresAt: number): Promise<string> {
  const body = [purpose, expiresAt, randomToken(12)].join('.')
  return `${body}.${await sign(secret, body)}`
}

/** Null for one that this service never made, or that is too old. */
export async function readChallenge(secret: string, text: string, now: number): Promise<Challenge | null> {
  const [, body = '', purpose = '', expiresAt, id = '', signature = ''] =
    /^((\w+)\.(\d+)\.([\w-]+))\.([\w-]+)$/.exec(text) ?? []
  const isOurs = timingSafeEqual(signature, await sign(secret, body))
  return isOurs && Number(expiresAt) > now ? { purpose, id } : null
}

const sign = (secret: string, body: string): Promise<string> => hmac(secret, `challenge:${body}`)
