import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/* Packets of link probes: their format, building, parsing and verification. */

/**
 * Requests and answers have 52 bytes, so there is no amplification:
 * magic 3 · kind 1 · tag 8 · nonce 12 · echo 12 · HMAC-SHA256 of all before, first 16.
 */
export const PACKET_BYTES = 52
export const NONCE_BYTES = 12
const MAGIC = Buffer.from('NLP')
const SIGNED_BYTES = 36

export const KIND = {
  ask: 1,
  /** The request echoed the expected nonce: fresh, the link is up at both ends. */
  accepted: 2,
  /** The request echoed no expected nonce (first contact, or a lost answer): repeat it with this one. */
  stale: 3,
} as const
export type Kind = (typeof KIND)[keyof typeof KIND]

export interface Packet {
  readonly kind: Kind
  /** Opaque link tag: 8 bytes derived from the link's key, hex. */
  readonly tag: string
  readonly nonce: Buffer
  /** Last nonce that the other end sent; zeros if there is none. */
  readonly echo: Buffer
}

export const createTag = (key: Buffer): string =>
  createHash('sha256').update('netloom probe tag').update(key).digest('hex').slice(0, 16)

export function seal({ kind, tag, nonce, echo }: Packet, key: Buffer): Buffer {
  const signed = Buffer.concat([MAGIC, Buffer.from([kind]), Buffer.from(tag, 'hex'), nonce, echo])
  return Buffer.concat([signed, createMac(signed, key)])
}

/** Decodes a datagram without verifying it; null if it is no probe packet. */
export function readPacket(datagram: Buffer): Packet | null {
  if (datagram.length !== PACKET_BYTES || !datagram.subarray(0, 3).equals(MAGIC)) return null
  const kind = Object.values(KIND).find((k) => k === datagram[3])
  if (kind === undefined) return null
  return {
    kind,
    tag: datagram.toString('hex', 4, 12),
    nonce: Buffer.from(datagram.subarray(12, 24)),
    echo: Buffer.from(datagram.subarray(24, SIGNED_BYTES)),
  }
}

export function isGenuine(datagram: Buffer, key: Buffer): boolean {
  return timingSafeEqual(datagram.subarray(SIGNED_BYTES), createMac(datagram.subarray(0, SIGNED_BYTES), key))
}

const createMac = (signed: Buffer, key: Buffer): Buffer =>
  createHmac('sha256', key).update(signed).digest().subarray(0, 16)
