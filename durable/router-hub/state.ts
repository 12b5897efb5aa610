import type { RouterDocument } from '../protocol.ts'
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

/** The desired document, beside the state: it is large and moves seldom. */
export const loadDocument = ({ kv }: DurableObjectStorage): RouterDocument | undefined => kv.get('document')
export const saveDocument = ({ kv }: DurableObjectStorage, body: RouterDocument): void => kv.put('document', body)
