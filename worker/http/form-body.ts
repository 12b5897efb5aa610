import { refuse } from '#contract/kernel/errors.ts'
import { FORM } from '#contract/kernel/limits.ts'

/* Form bodies with bracket names, read as nested values. */

type Tree = Map<string, Tree | unknown>

/** Refused names, which would reach the prototype of an object. */
const RESERVED: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * Nests the fields of a form: `a[0][b]=1` → `{ a: [{ b: '1' }] }`, `a[]=1` → `{ a: ['1'] }`. Indexes only order the values,
 * so a huge index makes no sparse array.
 */
export function nestFields(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(flat)
  if (fields.length > FORM.fieldsMax) refuse('BODY_MALFORMED')
  const root: Tree = new Map()
  for (const [name, value] of fields) insert(root, parseKeys(name), value)
  return Object.fromEntries([...root].map(([key, inner]) => [key, toValue(inner)]))
}

function parseKeys(name: string): readonly string[] {
  const found = /^([^[\]]+)((?:\[[^[\]]+\])*)(\[\])?$/.exec(name) ?? refuse('BODY_MALFORMED')
  const [, first = '', brackets = ''] = found
  const keys = [first, ...[...brackets.matchAll(/\[([^\]]+)\]/g)].map(([, key = '']) => key)]
  if (keys.length > FORM.depthMax || keys.some((key) => RESERVED.includes(key))) refuse('BODY_MALFORMED')
  return keys
}

function insert(root: Tree, keys: readonly string[], value: unknown): void {
  let at = root
  for (const key of keys.slice(0, -1)) {
    const next = at.get(key) ?? new Map<string, unknown>()
    if (!(next instanceof Map)) refuse('BODY_MALFORMED')
    at.set(key, next)
    at = next as Tree
  }
  const last = keys.at(-1) ?? ''
  if (at.has(last)) refuse('BODY_MALFORMED')
  at.set(last, value)
}

function toValue(node: unknown): unknown {
  if (!(node instanceof Map)) return node
  const entries = [...(node as Tree)]
  if (entries.every(([key]) => /^\d+$/.test(key)))
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => toValue(inner))
  return Object.fromEntries(entries.map(([key, inner]) => [key, toValue(inner)]))
}
