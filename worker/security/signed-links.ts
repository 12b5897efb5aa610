import { hmac, timingSafeEqual } from './secrets.ts'

/* Signatures in addresses: of kept files, and of mails to contacts. */

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

/** The secret of a verification mail as it is stored. */
export const contactLinkHash = (secret: string, s: string): Promise<string> => hmac(secret, `contact-link:${s}`)

/** Right to unsubscribe one contact at one address by a link. It lasts as long as the contact has that address. */
export interface UnsubscribeGrant {
  readonly accountId: number
  readonly uuid: string
  readonly email: string
}

/** `uuid.signature`, in the link of every alert mail: nothing is stored for it. */
export const signUnsubscribe = async (secret: string, grant: UnsubscribeGrant): Promise<string> =>
  `${grant.uuid}.${await hmac(secret, `unsubscribe:${grant.accountId}:${grant.uuid}:${grant.email}`)}`

/** The contact that a token names, whether or not it is signed. */
export const unsubscribeUuid = (token: string): string => token.split('.')[0] ?? ''

export const isUnsubscribeToken = async (secret: string, grant: UnsubscribeGrant, token: string): Promise<boolean> =>
  timingSafeEqual(await signUnsubscribe(secret, grant), token)
