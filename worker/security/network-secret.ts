import { openSealed, placeInRow, seal } from './sealed.ts'
import { randomHex } from './secrets.ts'

/* Secret of a network, from which the probe keys of its links are derived. */

/** By the number of the network: it never changes, and is known before the row has an id. */
const secretPlace = placeInRow<string>('networks', 'secret_sealed')

export interface StoredSecret {
  readonly accountId: number
  readonly number: string
  /** The secret itself while `secretSealed` is ''. */
  readonly secret: string
  readonly secretSealed: string
}

export const sealNetworkSecret = (
  sealKeys: string,
  { accountId, number }: Omit<StoredSecret, 'secret' | 'secretSealed'>,
  secret: string,
) => seal(sealKeys, secretPlace(accountId, number), secret)

/** Columns of a new network. An earlier release would read `secret` after a rollback. */
export async function createNetworkSecret(sealKeys: string, accountId: number, number: string) {
  const secretSealed = await sealNetworkSecret(sealKeys, { accountId, number }, randomHex(32))
  return { secret: randomHex(32), secretSealed }
}

export const openNetworkSecret = async (sealKeys: string, row: StoredSecret): Promise<string> =>
  row.secretSealed === '' ? row.secret : openSealed(sealKeys, secretPlace(row.accountId, row.number), row.secretSealed)

/** Networks with their opened secrets. */
export const openNetworkSecrets = <N extends StoredSecret>(sealKeys: string, networks: readonly N[]) =>
  Promise.all(networks.map(async (network) => ({ ...network, secret: await openNetworkSecret(sealKeys, network) })))
