import { STREAM } from '#contract/kernel/hub-limits.ts'

/**
 * Flow control of one viewer: frames that it was sent and has not acknowledged. A socket here has no back-pressure: unread
 * frames of a stalled browser are buffered in the hub's memory, so a viewer gets only a few frames ahead of its
 * acknowledgements.
 */
export interface Credit {
  readonly inFlight: readonly number[]
  /** Frames were left out; the viewer catches up with its next acknowledgement. */
  readonly isBehind: boolean
}

export const INITIAL_CREDIT: Credit = { inFlight: [], isBehind: false }

export function offer(
  credit: Credit,
  seq: number,
  limit: number = STREAM.creditFrames,
): { credit: Credit; send: boolean } {
  if (credit.inFlight.length >= limit) return { credit: { ...credit, isBehind: true }, send: false }
  return { credit: { ...credit, inFlight: [...credit.inFlight, seq] }, send: true }
}

/** An acknowledgement covers every frame up to its number. */
export function acknowledge(credit: Credit, seq: number): { credit: Credit; catchUp: boolean } {
  const inFlight = credit.inFlight.filter((sent) => sent > seq)
  const catchUp = credit.isBehind && inFlight.length < STREAM.creditFrames
  return { credit: { inFlight, isBehind: credit.isBehind && !catchUp }, catchUp }
}
