import { hmac, timingSafeEqual } from './secrets.ts'

/* Signatures in links: addresses of kept files, and links in mails to contacts. */

/** Grant of a signed address: one file of one account until an expiry time. */
interface FileGrant {
  readonly accountId: number
  readonly key: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const signFile = (secret: string, { accountId, key, expiresAt }: FileGrant): Promise<string> =>
  hmac(secret, `file:${accountId}:${key}:${expiresAt}`)

export const isFileSignature = async (secret: string, grant: FileGrant, sign: string): Promise<boolean> =>
  timingSafeEqual(await signFile(secret, grant), sign)

/** Stored hash of the secret in a verification mail. */
export const contactLinkHash = (secret: string, s: string): Promise<string> => hmac(secret, `contact-link:${s}`)

/** Token `address.signature` in the link of every verification mail that ends such mails to the address. */
export const signMailRefusal = async (secret: string, email: string): Promise<string> =>
  `${Buffer.from(email).toString('base64url')}.${await hmac(secret, `mail-refusal:${email}`)}`

/** Address of such a token; null without its signature. */
export async function openMailRefusal(secret: string, token: string): Promise<string | null> {
  const email = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  return timingSafeEqual(await signMailRefusal(secret, email), token) ? email : null
}

/** Stored hash of an address that takes no verification mails. */
export const refusedAddressHash = (secret: string, email: string): Promise<string> =>
  hmac(secret, `refused-address:${email}`)

/** Right to unsubscribe one contact at one address. It lasts as long as the contact has that address. */
interface UnsubscribeGrant {
  readonly accountId: number
  readonly uuid: string
  readonly email: string
}

/** Token `uuid.signature` in the link of every alert mail. It is not stored. */
export const signUnsubscribe = async (secret: string, grant: UnsubscribeGrant): Promise<string> =>
  `${grant.uuid}.${await hmac(secret, `unsubscribe:${grant.accountId}:${grant.uuid}:${grant.email}`)}`

/** Contact that a token names. The signature is not checked. */
export const unsubscribeUuid = (token: string): string => token.split('.')[0] ?? ''

export const isUnsubscribeToken = async (secret: string, grant: UnsubscribeGrant, token: string): Promise<boolean> =>
  timingSafeEqual(await signUnsubscribe(secret, grant), token)
