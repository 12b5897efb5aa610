import { bodyKinds, type Endpoint } from '#contract/kernel/endpoint.ts'

/* Encodes the input of a call as query or body, by the first body kind of the endpoint. */

type Leaf = readonly [name: string, value: string | Blob]

export interface EncodedInput {
  /** With its question mark, or empty. */
  readonly query: string
  readonly body?: string | URLSearchParams | FormData
  /** Absent if fetch sets it from the body. */
  readonly contentType?: string
}

export function encodeInput(spec: Pick<Endpoint, 'method' | 'body'>, input: unknown): EncodedInput {
  switch (bodyKinds(spec)[0]) {
    case 'query':
    case 'stream': {
      const given = Object.entries(input as object).filter(([, value]) => value !== undefined && value !== null)
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
      return { query: query && `?${query}` }
    }
    case 'json':
      return { query: '', body: JSON.stringify(input), contentType: 'application/json' }
    case 'form':
      return { query: '', body: new URLSearchParams(textLeaves(input)) }
    case 'multipart': {
      const body = new FormData()
      for (const [name, value] of leaves(input)) body.append(name, value)
      return { query: '', body }
    }
  }
}

function textLeaves(input: unknown): [string, string][] {
  return leaves(input).map(([name, value]) => {
    if (typeof value !== 'string') throw new Error(`${name}: a file needs a multipart body`)
    return [name, value]
  })
}

/** Nested values under bracket names: `{ a: [{ b: 1 }] }` → `a[0][b]=1`. Absent values are left out. */
function leaves(value: unknown, name = ''): Leaf[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  if (value instanceof Blob) return [[name, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name}[${key}]`))
}
