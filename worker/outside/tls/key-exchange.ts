import { createECDH } from 'node:crypto'
import { failTls } from './failure.ts'

/* Key exchange of TLS: elliptic-curve Diffie-Hellman in the named groups. */

export interface KeyShare {
  readonly publicKey: Buffer
  computeSecret(peer: Buffer): Promise<Buffer>
}

/** Named groups (RFC 8446 §4.2.7), in order of preference. */
export const GROUPS: ReadonlyMap<number, () => Promise<KeyShare>> = new Map([
  [0x001d, createX25519],
  [0x0017, () => createCurve('prime256v1')],
  [0x0018, () => createCurve('secp384r1')],
])
/** Groups with a share in the first ClientHello; P-384 costs a HelloRetryRequest. */
export const FIRST_GROUPS: readonly number[] = [0x001d, 0x0017]

export const createShare = async (group: number): Promise<KeyShare> =>
  (await GROUPS.get(group)?.()) ?? failTls('group that was not offered')

const X25519_BYTES = 32

/** Uses WebCrypto, because diffieHellman of workerd's node:crypto fails for this curve. */
async function createX25519(): Promise<KeyShare> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair
  return {
    publicKey: Buffer.from((await crypto.subtle.exportKey('raw', publicKey)) as ArrayBuffer),
    async computeSecret(peer) {
      if (peer.length !== X25519_BYTES) return failTls('length of an X25519 share')
      const secret = await mapExchangeFailure(async () => {
        const key = await crypto.subtle.importKey('raw', peer, 'X25519', false, [])
        // Types of Workers name the field $public.
        const algorithm = { name: 'X25519', public: key } as unknown as SubtleCryptoDeriveKeyAlgorithm
        return crypto.subtle.deriveBits(algorithm, privateKey, X25519_BYTES * 8)
      })
      // A point of small order gives zeros for every key (RFC 7748 §6.1).
      return secret.some((byte) => byte !== 0) ? secret : failTls('X25519 share of small order')
    },
  }
}

async function createCurve(name: 'prime256v1' | 'secp384r1'): Promise<KeyShare> {
  const exchange = createECDH(name)
  const publicKey = Buffer.from(exchange.generateKeys())
  return {
    publicKey,
    async computeSecret(peer) {
      const isUncompressed = peer[0] === 4 && peer.length === publicKey.length
      if (!isUncompressed) return failTls('form of a curve point')
      return mapExchangeFailure(async () => exchange.computeSecret(peer))
    },
  }
}

/** Turns an error of the exchange into a TLS failure: the runtime refuses points that are not on the curve. */
async function mapExchangeFailure(exchange: () => Promise<Uint8Array | ArrayBuffer>): Promise<Buffer> {
  try {
    const secret = await exchange()
    return Buffer.from(secret instanceof Uint8Array ? secret : new Uint8Array(secret))
  } catch {
    return failTls('key share that is no point')
  }
}
