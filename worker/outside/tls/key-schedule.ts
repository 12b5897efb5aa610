import { createHash, createHmac } from 'node:crypto'
import { uint, vector } from './bytes.ts'
import { type TlsHash, hashBytes } from './suites.ts'

/* Key derivation of TLS 1.3 (HKDF) and TLS 1.2 (PRF). */

const hmac = (hash: TlsHash, key: Uint8Array, data: Uint8Array): Buffer => createHmac(hash, key).update(data).digest()

export function digest(hash: TlsHash, parts: readonly Uint8Array[]): Buffer {
  const state = createHash(hash)
  for (const part of parts) state.update(part)
  return state.digest()
}

const NOTHING = new Uint8Array()

/** HKDF-Expand-Label of TLS 1.3 (RFC 8446 §7.1, RFC 5869). */
export function expandLabel(
  hash: TlsHash,
  secret: Uint8Array,
  label: string,
  context: Uint8Array,
  length: number,
): Buffer {
  const info = Buffer.concat([uint(2, length), vector(1, Buffer.from(`tls13 ${label}`)), vector(1, context)])
  let block: Uint8Array = NOTHING
  const blocks: Uint8Array[] = []
  for (let index = 1; (index - 1) * hashBytes(hash) < length; index++) {
    block = hmac(hash, secret, Buffer.concat([block, info, uint(1, index)]))
    blocks.push(block)
  }
  return Buffer.concat(blocks).subarray(0, length)
}

export const expandKey = (hash: TlsHash, secret: Uint8Array, label: string, length: number): Buffer =>
  expandLabel(hash, secret, label, NOTHING, length)

export interface Secrets13 {
  readonly client: Buffer
  readonly server: Buffer
}

/** Handshake secret of a key exchange without a pre-shared key (RFC 8446 §7.1). */
export function handshakeSecret(hash: TlsHash, shared: Uint8Array): Buffer {
  const zeros = Buffer.alloc(hashBytes(hash))
  const early = hmac(hash, zeros, zeros)
  return hmac(hash, derived(hash, early), shared)
}

export const masterSecret13 = (hash: TlsHash, handshake: Uint8Array): Buffer =>
  hmac(hash, derived(hash, handshake), Buffer.alloc(hashBytes(hash)))

const derived = (hash: TlsHash, secret: Uint8Array): Buffer =>
  expandLabel(hash, secret, 'derived', digest(hash, []), hashBytes(hash))

/** Traffic secrets of both sides; phase `hs` for the handshake, `ap` for application data. */
export const trafficSecrets = (
  hash: TlsHash,
  secret: Uint8Array,
  phase: 'hs' | 'ap',
  transcript: Uint8Array,
): Secrets13 => ({
  client: expandLabel(hash, secret, `c ${phase} traffic`, transcript, hashBytes(hash)),
  server: expandLabel(hash, secret, `s ${phase} traffic`, transcript, hashBytes(hash)),
})

/** Secret after a KeyUpdate (RFC 8446 §7.2). */
export const nextTrafficSecret = (hash: TlsHash, secret: Uint8Array): Buffer =>
  expandKey(hash, secret, 'traffic upd', hashBytes(hash))

export const finishedMac13 = (hash: TlsHash, secret: Uint8Array, transcript: Uint8Array): Buffer =>
  hmac(hash, expandKey(hash, secret, 'finished', hashBytes(hash)), transcript)

/** Pseudo-random function of TLS 1.2 (RFC 5246 §5). */
export function prf(hash: TlsHash, secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const labelled = Buffer.concat([Buffer.from(label), seed])
  let chained: Uint8Array = labelled
  const blocks: Uint8Array[] = []
  for (let made = 0; made < length; made += hashBytes(hash)) {
    chained = hmac(hash, secret, chained)
    blocks.push(hmac(hash, secret, Buffer.concat([chained, labelled])))
  }
  return Buffer.concat(blocks).subarray(0, length)
}
