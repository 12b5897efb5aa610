import { openSealed, placeInAccount, seal } from '#security/sealed.ts'

/* Key of an authority at rest: PKCS 8, base64, sealed. */

const keyPlace = placeInAccount('authorities', 'key_sealed')

interface SealedKey {
  readonly accountId: number
  readonly keySealed: string
}

export const sealKey = (sealKeys: string, accountId: number, pkcs8: ArrayBuffer): Promise<string> =>
  seal(sealKeys, keyPlace(accountId), Buffer.from(pkcs8).toString('base64'))

const openText = (sealKeys: string, { accountId, keySealed }: SealedKey): Promise<string> =>
  openSealed(sealKeys, keyPlace(accountId), keySealed)

export const openKey = async (sealKeys: string, key: SealedKey): Promise<Buffer> =>
  Buffer.from(await openText(sealKeys, key), 'base64')

/** The same key under the first key of SEAL_KEYS. */
export const resealKey = async (sealKeys: string, key: SealedKey): Promise<string> =>
  seal(sealKeys, keyPlace(key.accountId), await openText(sealKeys, key))
