import { createHash } from 'node:crypto'
import { type HubFrame, hubFrame } from '../../worker/contract/protocol.ts'
import { canonicalJson } from '../../worker/domain/network/compile.ts'

const KNOWN: ReadonlySet<unknown> = new Set(hubFrame.options.map((option) => option.shape.t.value))

/**
 * Parses a frame of the hub: null where it breaks the protocol, 'unknown' for a kind of a newer hub. A document keeps
 * unknown fields, because its hash covers them.
 */
export function readFrame(text: string): HubFrame | 'unknown' | null {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return null
  }
  if (raw === null || typeof raw !== 'object' || !('t' in raw)) return null
  if (!KNOWN.has(raw.t)) return 'unknown'
  const parsed = hubFrame.safeParse(raw)
  if (!parsed.success) return null
  return parsed.data.t === 'config' ? (raw as HubFrame) : parsed.data
}

export const documentHash = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('hex')
