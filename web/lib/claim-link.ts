import { readStored, writeStored } from './session/browser-storage.ts'

/* Link on the box of a device, /claim#serial.code, kept in the tab over a sign-in. */

export interface Claim {
  readonly serial: string
  readonly code: string
}

export const CLAIM_PATH = '/claim'
/** Page of the claim, as `paths.routers` writes it; the first chunk goes without the table of paths. */
export const CLAIM_PAGE = '/router/lists?claim=1'
const KEY = 'netloom.claim'
const LONGEST = 128

/** Serial and code behind the # of a claim link; null if it has not both. */
export function readClaimHash(hash: string): Claim | null {
  const [, serial = '', code = ''] = /^#?([\w-]+)\.([\w-]+)$/.exec(hash.slice(0, LONGEST)) ?? []
  return serial === '' ? null : { serial, code }
}

/** Keeps the claim of the opened link. The code is a secret, and stays in this tab only. */
export const keepClaim = (hash: string): void =>
  void (readClaimHash(hash) !== null && writeStored('sessionStorage', KEY, hash))

/** Claim of the link that led here. It is there once. */
export function consumeClaim(): Claim | null {
  const hash = readStored('sessionStorage', KEY)
  if (hash !== null) writeStored('sessionStorage', KEY, null)
  return readClaimHash(hash ?? '')
}
