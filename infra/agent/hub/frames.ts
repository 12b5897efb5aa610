import { createHash } from 'node:crypto'
import { type HubFrame, hubFrame } from '#contract/kernel/protocol.ts'
import { DOCUMENT } from '#contract/kernel/hub-limits.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'

/* Frames of the hub as the agent reads them, and hashes of documents. */

const KNOWN: ReadonlySet<unknown> = new Set(hubFrame.options.map((option) => option.shape.t.value))

/**
 * Parses a frame of the hub: null if it breaks the protocol, 'unknown' for a kind of a newer hub. A document is not parsed
 * here (check-document.ts): the device answers why it refuses one, and its hash covers fields of a newer hub.
 */
export function readFrame(text: string): HubFrame | 'unknown' | null {
  if (text.length > DOCUMENT.maxChars) return null
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return null
  }
  if (raw === null || typeof raw !== 'object' || !('t' in raw)) return null
  if (!KNOWN.has(raw.t)) return 'unknown'
  return hubFrame.safeParse(raw).data ?? null
}

export const documentHash = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('hex')

/** True if the hash is that of the body; false also for a body that is nested too deep to be hashed. */
export function isIntact(body: unknown, hash: string): boolean {
  try {
    return documentHash(body) === hash
  } catch {
    return false
  }
}
