import * as z from 'zod'
import { type Endpoint, bodyKinds } from '#contract/kernel/endpoint.ts'
import type { Random } from '../random.ts'
import { hostileText, hostileValue, nearValue, NUMBERS, shapedObject } from './values.ts'

export interface Target {
  readonly mount: string
  readonly spec: Endpoint
}

export interface FuzzedRequest {
  readonly path: string
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string }
}

const schemas = new Map<Endpoint, Record<string, unknown>>()
function schemaOf(spec: Endpoint): Record<string, unknown> {
  const known = schemas.get(spec) ?? z.toJSONSchema(spec.input, { io: 'input', unrepresentable: 'any' })
  schemas.set(spec, known)
  return known
}

/** One request to an endpoint that is wrong in some way, and now and then right. `ids` replaces texts of its example. */
export function fuzzedRequest(
  random: Random,
  { mount, spec }: Target,
  token: string | undefined,
  ids: Readonly<Record<string, string>>,
): FuzzedRequest {
  return requestOf(random, { mount, spec }, token, fuzzedInput(random, spec, ids))
}

/** Each number of the endpoint's example, one after the other, as each hostile number. */
export function numberSweep(
  random: Random,
  target: Target,
  token: string | undefined,
  ids: Readonly<Record<string, string>>,
): FuzzedRequest[] {
  const example = exampleOf(target.spec, ids)
  const names = Object.keys(example).filter((name) => typeof example[name] === 'number')
  return names.flatMap((name) =>
    NUMBERS.map((value) => requestOf(random, target, token, { ...example, [name]: value })),
  )
}

function requestOf(
  random: Random,
  { mount, spec }: Target,
  token: string | undefined,
  input: Readonly<Record<string, unknown>>,
): FuzzedRequest {
  const method = random.chance(0.05) ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) : spec.method
  const path = `${mount}/${spec.path}${random.chance(0.02) ? random.pick(['/', '/..', '%00', '%zz', ';a', '//x']) : ''}`
  const headers = fuzzedHeaders(random, token)
  if (method === 'GET') return { path: path + toQuery(random, input), init: { method, headers } }
  const [contentType, body] = toBody(random, spec, input)
  return { path, init: { method, headers: { ...headers, 'content-type': contentType }, body } }
}

function exampleOf(spec: Endpoint, ids: Readonly<Record<string, string>>): Record<string, unknown> {
  let example = JSON.stringify(spec.example ?? {})
  for (const [from, to] of Object.entries(ids)) example = example.replaceAll(from, to)
  return JSON.parse(example) as Record<string, unknown>
}

function fuzzedInput(random: Random, spec: Endpoint, ids: Readonly<Record<string, string>>): Record<string, unknown> {
  const input = exampleOf(spec, ids)
  const shaped = shapedObject(random, schemaOf(spec))
  const way = random.next()
  if (way < 0.15) return { ...input, ...shaped }
  const names = [...new Set([...Object.keys(input), ...Object.keys(shaped)])]
  if (way > 0.5 && names.length > 0) {
    const name = random.pick(names)
    return { ...input, [name]: nearValue(random, input[name] ?? shaped[name]) }
  }
  for (const name of names) {
    if (way < 0.25 || random.chance(1.5 / names.length)) input[name] = hostileValue(random)
    else if (random.chance(0.1)) delete input[name]
  }
  if (random.chance(0.1)) input[hostileText(random)] = hostileValue(random)
  return input
}

function fuzzedHeaders(random: Random, token: string | undefined): Record<string, string> {
  const latin = () => encode(hostileText(random).slice(0, 2_000))
  return {
    'cf-connecting-ip': random.chance(0.05)
      ? latin()
      : `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
    ...(token !== undefined && { authorization: random.chance(0.03) ? `Bearer ${latin()}` : `Bearer ${token}` }),
    ...(random.chance(0.05) && { cookie: `netloom_session=${latin()}; ${latin()}` }),
    ...(random.chance(0.03) && { origin: latin() }),
    ...(random.chance(0.03) && { 'user-agent': latin() }),
    ...(random.chance(0.02) && { accept: latin() }),
  }
}

/** A lone surrogate has no UTF-8; JSON can escape it, an address cannot. */
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))

function toQuery(random: Random, input: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(input).flatMap(([name, value]) => {
    const pair = `${encode(name)}=${encode(toText(value).slice(0, 4_000))}`
    return random.chance(0.05) ? [pair, pair, `${encode(name)}[]=1`] : [pair]
  })
  if (random.chance(0.05)) pairs.push(random.pick(['%zz=1', '=', '&&&', 'page=%00', 'a%ff=%ff', '[x]=1', 'page[0]=1']))
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const BROKEN: readonly string[] = [
  '',
  'null',
  '"text"',
  '7',
  '[]',
  '{',
  '{"a":',
  "{'a':1}",
  '{"a":1e999}',
  '\uFEFF{}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"a":1},"constructor":{}}',
  '['.repeat(50_000),
  '{"a":'.repeat(20_000),
  '[[[[]]]]'.repeat(9),
  '\0',
  `{"a":"${'x'.repeat(300_000)}"}`,
]
const TYPES: readonly string[] = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  'image/png',
  'a',
]

function toBody(random: Random, spec: Endpoint, input: Readonly<Record<string, unknown>>): [string, string] {
  const json = JSON.stringify(input)
  if (random.chance(0.08)) return [random.pick(TYPES), random.pick(BROKEN)]
  if (random.chance(0.05)) return [random.pick(TYPES), json]
  if (bodyKinds(spec).includes('form') && random.chance(0.5))
    return ['application/x-www-form-urlencoded', toQuery(random, input).slice(1)]
  return ['application/json', json]
}
