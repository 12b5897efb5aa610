import type { RouterDocument } from '../../worker/contract/protocol.ts'
import { unknownDevice, unknownRouter } from './facts.ts'
import { type RouterState, blankRouter } from './machine.ts'

const SLICES = Object.keys(blankRouter) as readonly (keyof RouterState)[]

/** Fields that a slice stored by an older release may lack. */
const DEFAULTS: Readonly<Record<keyof RouterState, unknown>> = {
  ...blankRouter,
  router: unknownRouter,
  device: unknownDevice,
}

/** Loads each slice under its own key; a new slice or a new field of one needs no migration. */
export function loadState({ kv }: Pick<DurableObjectStorage, 'kv'>): RouterState {
  const stored = SLICES.map((slice) => [slice, withDefaults(DEFAULTS[slice], kv.get(slice))] as const)
  return { ...blankRouter, ...Object.fromEntries(stored.filter(([, value]) => value !== undefined)) }
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withDefaults = (defaults: unknown, stored: unknown): unknown =>
  isRecord(defaults) && isRecord(stored) ? { ...defaults, ...stored } : stored

/**
 * Writes only the slices that changed; all of them commit together, because nothing is awaited in between. Links are saved
 * by `saveLinks`: a device may report them many times a second.
 */
export function saveState({ kv }: DurableObjectStorage, before: RouterState, after: RouterState): void {
  for (const slice of SLICES) if (slice !== 'links' && before[slice] !== after[slice]) kv.put(slice, after[slice])
}

/** A crash that loses the newest reports also breaks the device's socket, and the device sends all links on the next. */
export const saveLinks = ({ kv }: DurableObjectStorage, links: RouterState['links']): void => kv.put('links', links)

/** A stored value holds 2 MB, and a centre of eight networks with 2,000 members each has a document of some 8 MB. */
const PART_CHARS = 500_000

const partKey = (i: number): string => `document:${i}`

/** The desired document, in a key of its own: it is large and rarely changes. */
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
