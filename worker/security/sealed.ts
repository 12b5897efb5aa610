import { remembered } from './secrets.ts'

/*
 * Secrets at rest: AES-256-GCM under SEAL_KEYS, `v1.<kid>.<base64url of nonce, ciphertext and tag>`. They are opened only
 * for use, and never part of a reply, a log line, an audit row or an error.
 */

/** Additional authenticated data of a sealed text, which does not open in another column, account or row. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
  readonly accountId: number
  /** Key of the row that never changes, for tables with several rows per account. */
  readonly row?: string
}

/** Places in a column of a table with one row per account. */
export const placeInAccount =
  (table: string, column: string) =>
  (accountId: number): SealedPlace => ({ table, column, accountId })

/** Places in a column of a table with several rows per account. */
export const placeInRow =
  <Row extends string | number>(table: string, column: string) =>
  (accountId: number, row: Row): SealedPlace => ({ table, column, accountId, row: String(row) })

/** Place of a software member's password that waits for its hash, by its hub: its name may change. */
export const memberPasswordPlace = placeInRow<string>('routers', 'password_sealed')

/** Place of the password of the reading account of a directory. */
export const ldapPasswordPlace = placeInAccount('ldap_configs', 'password_sealed')

const VERSION = 'v1'
const NONCE_BYTES = 12 // 96 bits, random: NIST SP 800-38D allows 2^32 seals a key
const ALGORITHM = 'AES-GCM'

/** Seals under the first key of SEAL_KEYS. */
export async function seal(sealKeys: string, place: SealedPlace, plain: string): Promise<string> {
  const [{ kid, key }] = await importedKeys(sealKeys)
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const algorithm = { name: ALGORITHM, iv: nonce, additionalData: toAdditionalData(kid, place) }
  const ciphertext = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(plain))
  return [VERSION, kid, Buffer.concat([nonce, new Uint8Array(ciphertext)]).toString('base64url')].join('.')
}

/** Beginning of texts that are sealed under the first key of SEAL_KEYS. */
export const sealedPrefix = async (sealKeys: string): Promise<string> =>
  `${VERSION}.${(await importedKeys(sealKeys))[0].kid}.`

/** Opens a text with its key. Throws SealedTextError, which reveals neither key nor content. */
export async function openSealed(sealKeys: string, place: SealedPlace, sealed: string): Promise<string> {
  const [version, kid = '', payload = '', ...rest] = sealed.split('.')
  const known = (await importedKeys(sealKeys)).find((candidate) => candidate.kid === kid)
  if (version !== VERSION || rest.length > 0 || !known) throw new SealedTextError(place)
  const bytes = Buffer.from(payload, 'base64url')
  if (bytes.toString('base64url') !== payload) throw new SealedTextError(place) // only the canonical encoding
  const algorithm = {
    name: ALGORITHM,
    iv: bytes.subarray(0, NONCE_BYTES),
    additionalData: toAdditionalData(kid, place),
  }
  try {
    const plain = await crypto.subtle.decrypt(algorithm, known.key, bytes.subarray(NONCE_BYTES))
    return new TextDecoder().decode(plain)
  } catch {
    throw new SealedTextError(place)
  }
}

/** Seals a field of an edit form. An empty one gives undefined, which an UPDATE leaves out, and keeps the old secret. */
export const sealUnlessEmpty = async (sealKeys: string, place: SealedPlace, typed: string) =>
  typed === '' ? undefined : seal(sealKeys, place, typed)

/** Error of a text that was changed, moved from another row, or sealed under a removed key. */
export class SealedTextError extends Error {
  override readonly name = 'SealedTextError'
  constructor({ table, column }: SealedPlace) {
    super(`sealed text in ${table}.${column} cannot be opened`)
  }
}

const toAdditionalData = (kid: string, { table, column, accountId, row = '' }: SealedPlace) =>
  new TextEncoder().encode(JSON.stringify([VERSION, kid, table, column, accountId, row]))

interface SealKey {
  readonly kid: string
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>
}

const importedKeys = remembered(importKeys)

async function importKeys(sealKeys: string): Promise<readonly [SealKey, ...SealKey[]]> {
  const pairs = sealKeys.split(',').map((pair) => /^([\w-]{1,16}):([0-9a-f]{64})$/i.exec(pair.trim()))
  const kids = new Set(pairs.map((pair) => pair?.[1]))
  if (pairs.includes(null) || kids.size < pairs.length) {
    throw new Error('SEAL_KEYS: kid:hex of 32 bytes, comma separated, each kid once')
  }
  const keys = pairs.map(async (pair) => {
    const [, kid = '', hex = ''] = pair ?? []
    const key = await crypto.subtle.importKey('raw', Buffer.from(hex, 'hex'), ALGORITHM, false, ['encrypt', 'decrypt'])
    return { kid, key }
  })
  return (await Promise.all(keys)) as [SealKey, ...SealKey[]]
}
