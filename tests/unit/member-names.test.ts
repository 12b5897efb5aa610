import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { memberName } from '#contract/device/document-fields.ts'
import { type Endpoint, EXAMPLE } from '#contract/kernel/endpoint.ts'
import { API, OPS } from '#contract/api.ts'
import { dialReport } from '#contract/kernel/protocol.ts'
import { MEMBER_FILE, SOFTWARE } from '#contract/router/limits.ts'

const SIGN = 's'.repeat(SOFTWARE.signMax)
/** Names that a directory may bring: of one character, the longest, with every sign. */
const NAMES = [
  `a@${SIGN}`,
  `${'n'.repeat(MEMBER_FILE.nameMax)}@${SIGN}`,
  `li-na.z_w@${SIGN}`,
  `a-${'-'.repeat(44)}-b@${SIGN}`,
]

const FIELDS = new Set([
  'router_name',
  'center_router_name',
  'main_router',
  'secondary_router',
  'center',
  'point',
  'pop_conf',
])

interface JsonSchema {
  readonly type?: string
  readonly maxLength?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** Texts of a field, of a list, or of a list by key. */
function textsIn(schema: JsonSchema): readonly JsonSchema[] {
  const { additionalProperties: more } = schema
  const inner = [schema.items, typeof more === 'object' ? more : undefined].filter((one) => one !== undefined)
  const own = schema.type === 'string' ? [schema] : []
  return [...own, ...[...inner, ...branchesOf(schema)].flatMap(textsIn)]
}

const branchesOf = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema) => [...anyOf, ...oneOf, ...allOf]

/** Every field of an input that names an existing member, wherever it stands. */
function fieldsIn(schema: JsonSchema, path: string): readonly { readonly path: string; readonly text: JsonSchema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
    ...(FIELDS.has(key) ? textsIn(value).map((text) => ({ path: `${path} ${key}`, text })) : []),
    ...fieldsIn(value, `${path} ${key}`),
  ])
  return [
    ...own,
    ...(schema.items ? fieldsIn(schema.items, path) : []),
    ...branchesOf(schema).flatMap((branch) => fieldsIn(branch, path)),
  ]
}

const inputOf = ({ input }: Endpoint) =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as JsonSchema
const fields = [...API, ...OPS].flatMap((spec) => fieldsIn(inputOf(spec), spec.path))

const takes = ({ maxLength = 1_000, minLength = 0, pattern = '' }: JsonSchema, name: string) =>
  name.length <= maxLength && name.length >= minLength && new RegExp(pattern).test(name)

/** The example with another name in place of that of its member. */
const withName = (value: unknown, name: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(EXAMPLE.router_name, name))

describe('a field that names an existing member', () => {
  it('takes 1 to 48 characters, a hyphen among them, in every call', () => {
    expect(fields.length).toBeGreaterThan(40)
    const refused = fields.flatMap(({ path, text }) =>
      NAMES.filter((name) => !takes(text, name) && !takes(text, '')).map((name) => `${path}: ${name}`),
    )
    expect(refused).toEqual([])
  })

  it.each(NAMES)('%s stands in every example in place of its member', (name) => {
    const naming = [...API, ...OPS].filter(({ example }) => JSON.stringify(example).includes(EXAMPLE.router_name))
    expect(naming.length).toBeGreaterThan(25)
    const refused = naming.filter(({ input, example }) => !input.safeParse(withName(example, name)).success)
    expect(refused.map(({ path }) => path)).toEqual([])
  })

  it.each(NAMES)('%s may stand in documents and reports of devices, and sign in', (name) => {
    expect(memberName.safeParse(name).success).toBe(true)
    expect(dialReport.shape.name.safeParse(name).success).toBe(true)
    const login = API.find(({ path }) => path === 'client/login')!
    expect(login.input.safeParse({ username: name, password: 'Weilai26' }).success).toBe(true)
    const disable = OPS.find(({ path }) => path === 'member/disable')!
    expect(disable.input.safeParse({ account: 'company01', name }).success).toBe(true)
  })

  it.each(['-a@company', 'a b@company', 'a/b@company', '@company', 'a@', 'a@b@c'])(
    '%s may not stand in a document',
    (name) => {
      expect(memberName.safeParse(name).success).toBe(false)
    },
  )
})
