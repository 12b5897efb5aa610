import type { RouterDocument } from '../../worker/contract/protocol.ts'
import { type RouterState, blankRouter } from './machine.ts'

const SLICES = Object.keys(blankRouter) as readonly (keyof RouterState)[]

/** A hub that was asleep starts from here. A slice that is not stored yet is blank, so a new slice needs no migration. */
export function loadState({ kv }: DurableObjectStorage): RouterState {
  const stored = SLICES.map((slice) => [slice, kv.get(slice)]).filter(([, value]) => value !== undefined)
  return { ...blankRouter, ...Object.fromEntries(stored) }
}

/** Writes only what moved; all of it is stored together, because nothing is awaited in between. */
export function saveState({ kv }: DurableObjectStorage, before: RouterState, after: RouterState): void {
  for (const slice of SLICES) if (before[slice] !== after[slice]) kv.put(slice, after[slice])
}

/** A stored value holds 2 MB, and a centre of eight networks with 2,000 members each has a document of some 8 MB. */
const PART_CHARS = 500_000

const partKey = (i: number): string => `document:${i}`

/** The desired document, beside the state: it is large and moves seldom. */
export function saveDocument({ kv }: DurableObjectStorage, body: RouterDocument): void {
  const text = JSON.stringify(body)
  const parts = Math.ceil(text.length / PART_CHARS)
  for (let i = 0; i < parts; i++) kv.put(partKey(i), text.slice(i * PART_CHARS, (i + 1) * PART_CHARS))
  for (let i = parts; i < documentParts(kv); i++) kv.delete(partKey(i))
  kv.put('parts', parts)
}

export function loadDocument({ kv }: DurableObjectStorage): RouterDocument | null {
  const parts = Array.from({ length: documentParts(kv) }, (_, i) => kv.get<string>(partKey(i)) ?? '')
  return parts.length === 0 ? null : (JSON.parse(parts.join('')) as RouterDocument)
}

export const documentParts = (kv: DurableObjectStorage['kv']): number => kv.get<number>('parts') ?? 0
