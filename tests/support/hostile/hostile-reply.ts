import type * as z from 'zod'
import { PAYLOADS } from './payloads.ts'
import { type Def, defOf, takesMarkup } from './text-fields.ts'

/**
 * Fields left as they are: session tokens, ids that the page sends back, and signed addresses. Markup in them would only
 * end the session, or break an image.
 */
const KEPT: readonly string[] = ['access_token', 'ticket', 'uniqid', 'src']
/** Texts that are empty where there is nothing to say. */
const FILLED: readonly string[] = ['reason', 'words', 'note', 'ack_by', 'tag', 'label', 'msg', 'code']

/** The same text gets the same payload, so that what refers to each other still does. */
function payloadFor(text: string): string {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return PAYLOADS[sum % PAYLOADS.length] ?? ''
}

const LONGEST_FIRST = PAYLOADS.toSorted((a, b) => b.length - a.length)
/** A text as it was before: for what a page sends back. */
export const withoutPayload = (text: string): string =>
  LONGEST_FIRST.reduce((rest, payload) => rest.replaceAll(payload, ''), text)

type Entries = readonly (readonly [string, unknown])[]

/** Replacement of a value by its kind of schema; other kinds are replaced inside. */
const BY_TYPE: Readonly<Record<string, (def: Def, value: unknown, name: string) => unknown>> = {
  object: ({ shape = {} }, value) => {
    const entries: Entries = Object.entries(value as object)
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, shape[key] ? toHostile(shape[key], inner, key) : inner]),
    )
  },
  array: ({ element }, value, name) => {
    const items = value as readonly unknown[]
    return element && (items.length > 0 ? items : [sampleOf(element)]).map((item) => toHostile(element, item, name))
  },
  record: ({ keyType, valueType }, value) => {
    const entries: Entries = Object.entries(value as object)
    const toKey = (key: string) => (keyType ? toHostileText(keyType, key, '') : key)
    return Object.fromEntries(entries.map(([key, inner]) => [toKey(key), valueType && toHostile(valueType, inner)]))
  },
  union: ({ options = [] }, value, name) => {
    const option = options.find((one) => one.safeParse(value).success)
    return option ? toHostile(option, value, name) : value
  },
}

/**
 * A reply in which every text that the contract does not narrow ends with a payload, and no list is empty: as if devices,
 * vendors, directories and colleagues had written them all.
 */
export function toHostile(schema: z.ZodType, value: unknown, name = ''): unknown {
  if (value === null || value === undefined || KEPT.includes(name)) return value
  if (typeof value === 'string') return toHostileText(schema, value, name)
  const def = defOf(schema)
  const change = BY_TYPE[def.type]
  if (change) return change(def, value, name)
  const inner = def.innerType ?? def.out
  return inner ? toHostile(inner, value, name) : value
}

function toHostileText(schema: z.ZodType, text: string, name: string): string {
  if (!takesMarkup(schema) || (text === '' && !FILLED.includes(name))) return text
  const candidate = text + payloadFor(text + name)
  return schema.safeParse(candidate).success ? candidate : text
}

/** Values of each kind of schema, their texts short and their numbers 1. */
const SAMPLES: Readonly<Record<string, (def: Def) => unknown>> = {
  object: ({ shape = {} }) => Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, sampleOf(part)])),
  array: () => [],
  record: () => ({}),
  string: () => 'x',
  number: () => 1,
  boolean: () => true,
  nullable: () => null,
  literal: ({ values }) => values?.[0],
  enum: ({ entries = {} }) => Object.values(entries).find((word) => word !== ''),
  union: ({ options: [first] = [] }) => first && sampleOf(first),
}

function sampleOf(schema: z.ZodType): unknown {
  const def = defOf(schema)
  const sample = SAMPLES[def.type]
  const inner = def.innerType ?? def.out
  return sample ? sample(def) : inner && sampleOf(inner)
}
