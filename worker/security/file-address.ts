import { hmac, timingSafeEqual } from './secrets.ts'

/** Grant of a signed address: one file of one account until an expiry time. */
export interface FileGrant {
  readonly accountId: number
  readonly key: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const signFile = (secret: string, { accountId, key, expiresAt }: FileGrant): Promise<string> =>
  hmac(secret, `file:${accountId}:${key}:${expiresAt}`)

export const isFileSignature = async (secret: string, grant: FileGrant, sign: string): Promise<boolean> =>
  timingSafeEqual(await signFile(secret, grant), sign)
