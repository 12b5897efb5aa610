import { createHash } from 'node:crypto'

/** SHA-256 of a device's public key as its row stores it: names the pinned key without carrying it. */
export const keyFingerprint = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex')
