import type { Random } from '../random.ts'

type Json = { readonly [key: string]: unknown }

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'a\uDFFFb',
  '\uFEFF\u202E\u200B',
  '\r\nSet-Cookie: a=b',
  '👩‍👩‍👧‍👦'.repeat(9),
  '％１２３',
  "' OR 1=1 --",
  '"; DROP TABLE accounts; --',
  '%_%',
  '../../etc/passwd',
  '$.a[0]',
  '{{7*7}}${7*7}',
  '<script>alert(1)</script>',
  '9'.repeat(400),
  '1e999',
  '-0',
  'NaN',
  'null',
  'undefined',
  '0x10',
  '2026-02-30',
  '9999999999999999',
  '+86 13800000000',
  '+1 1'.padEnd(300, '1'),
  '@',
  'a@b@c',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(129),
  'x'.repeat(70_000),
  '汉'.repeat(3_000),
]
export const NUMBERS: readonly number[] = [
  0,
  -1,
  1,
  1.5,
  -0.1,
  2,
  3,
  100,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e-7,
  1e21,
  1e300,
  4_102_444_800_000,
]
const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  [null],
  [[]],
  [{}],
  {},
  { length: 5 },
  { toString: 1 },
  JSON.parse('{"__proto__":{"admin":1}}'),
  nested(1_000),
  Array.from({ length: 3_000 }, () => 'x'),
]

/** A value that no schema expects. */
export function hostileValue(random: Random): unknown {
  const kind = random.next()
  if (kind < 0.5) return random.pick(TEXTS)
  return kind < 0.75 ? random.pick(NUMBERS) : random.pick(OTHERS)
}

/** A hostile value of the same type, which passes checks of types and reaches the rules behind them. */
export function nearValue(random: Random, value: unknown): unknown {
  if (typeof value === 'number') return random.pick(NUMBERS)
  if (typeof value === 'string') return random.pick(TEXTS)
  if (!Array.isArray(value)) return hostileValue(random)
  return random.chance(0.5) ? value.map((item) => nearValue(random, item)) : [...value, ...value, hostileValue(random)]
}

export const hostileText = (random: Random): string => random.pick(TEXTS)

const LETTERS = [...'abcXYZ019-_.@ 汉,']
const randomText = (random: Random, longest: number) =>
  Array.from({ length: random.below(longest + 1) }, () => random.pick(LETTERS)).join('')

/** A value of a JSON schema's shape, mostly within its bounds. */
function shapedValue(random: Random, schema: Json): unknown {
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'])
  const branches = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (branches) return shapedValue(random, random.pick(branches))
  const type = Array.isArray(schema['type']) ? random.pick(schema['type'] as string[]) : schema['type']
  switch (type) {
    case 'string':
      return randomText(random, Math.min(Number(schema['maxLength'] ?? 24), 70))
    case 'integer':
      return random.below(20)
    case 'number':
      return random.next() * 100
    case 'boolean':
      return random.chance(0.5)
    case 'array':
      return Array.from({ length: random.below(4) }, () => shapedValue(random, (schema['items'] ?? {}) as Json))
    case 'object':
      return shapedObject(random, schema)
    default:
      return hostileValue(random)
  }
}

export function shapedObject(random: Random, schema: Json): Record<string, unknown> {
  const branches = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (branches) return shapedObject(random, random.pick(branches))
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Json>>)
  return Object.fromEntries(properties.map(([name, inner]) => [name, shapedValue(random, inner)]))
}
