import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deviceApi } from '#contract/device/index.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { FIELD_NAMES } from '#contract/kernel/input/field-names.ts'
import { API, OPS } from '#contract/api.ts'
import { createInputSentence } from '#contract/kernel/input/input-sentence.ts'
import { networkApi } from '#contract/network/index.ts'
import { OUTER_FIELD_NAMES } from '#contract/ops/field-names.ts'
import { findOffenders } from '#tests/support/offenders.ts'

z.config({ customError: createInputSentence(OUTER_FIELD_NAMES) })

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  ' ',
  '?',
  'x'.repeat(60_000),
  -1,
  0,
  1.5,
  1e300,
  Number.NaN,
  [],
  [null],
  Array.from({ length: 3_000 }, () => 'x'),
  {},
  { a: 1 },
]

/** The example with each of its fields, and each part of the first entry of a list in it, made wrong. */
function* wrongInputs(example: unknown, shape: readonly string[]): Generator<unknown> {
  yield* WRONG
  if (typeof example !== 'object' || example === null) return
  for (const name of new Set([...Object.keys(example), ...shape])) {
    for (const wrong of WRONG) yield { ...example, [name]: wrong }
    const [first] = Array.isArray(Reflect.get(example, name)) ? (Reflect.get(example, name) as unknown[]) : []
    if (first !== undefined) for (const wrong of wrongInputs(first, [])) yield { ...example, [name]: [wrong] }
  }
}

const isSentence = (text: string) =>
  /\p{Script=Han}/u.test(text) &&
  !/[a-z]{3,}/i.test(text.replace(/URL|POP|DNS|Base DN|SSL|StartTLS|Mbs|AppSecret/g, ''))

describe('validation messages', () => {
  it('of every call: always a Chinese sentence, never one of the schema library', async () => {
    const offenders = await findOffenders(
      [...API, ...OPS, deviceApi.enrol].map((spec) => [`${spec.method} ${spec.path}`, spec] as const),
    )((_, { input, example }) => {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
        properties?: object
      }
      const messages = new Set<string>()
      for (const wrong of wrongInputs(example, Object.keys(properties)))
        for (const { message } of input.safeParse(wrong).error?.issues ?? []) messages.add(message)
      expect([...messages].filter((text) => !isSentence(text))).toEqual([])
      expect(messages.size).toBeGreaterThan(0)
    })
    expect(offenders).toEqual([])
  })
})

const TOO_LONG = 'x'.repeat(70_000)
const SINGLE = { absent: [undefined, null], mistyped: [[{}], {}, true, 7.5], long: [TOO_LONG] } as const
const fieldsOf = (schema: z.ZodType, example: unknown): string[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const branches = [json, ...(json.oneOf ?? []), ...(json.anyOf ?? [])] as { properties?: object }[]
  return [
    ...new Set(branches.flatMap(({ properties = {} }) => Object.keys(properties)).concat(Object.keys(example ?? {}))),
  ]
}
/** Fields that hold fields, whose own sentences answer for them. */
const PARTS: ReadonlySet<string> = new Set([
  'public_key',
  'endpoints',
  'members',
  'router_network',
  'software_network',
  'pop',
  'pop_software',
  'center_link_network',
  'center_network',
  'link_config',
  'auth',
  'quiet',
  'snapshot',
  'chapters',
  'images',
  // network 5 has their sentences
  'center_router_name',
  'gateway',
  'mask',
])
const refusedFields = [...API, ...OPS, deviceApi.enrol].flatMap((spec) =>
  fieldsOf(spec.input, spec.example).map((field) => [spec.path, field, spec] as const),
)

/** The message that the server would answer, or null where the value passes or another field is refused first. */
function messageFor(spec: Endpoint, field: string, value: unknown): string | null {
  const { [field]: _, ...rest } = spec.example as Record<string, unknown>
  const input = value === undefined ? rest : { ...rest, [field]: value }
  const [issue] = spec.input.safeParse(input).error?.issues ?? []
  return issue?.path[0] === field ? issue.message : null
}

/** Fields with a sentence of their own. */
const ABSENT: Readonly<Record<string, RegExp>> = {
  uniqid: /^(验证码已失效，请刷新后重试|不能为空)$/,
  file: /^请上传文件$/,
  setup: /^二维码已失效，请刷新页面后重新扫描$/,
  ticket: /不能为空$|^登录验证已失效，请重新登录$/,
  phone: /不能为空$|请选择有效的|^请输入手机号码$/,
  // directory 5 and account 5 have their sentences
  name: /不能为空$|^请输入认证源名称$/,
  agent_id: /不能为空$|^请输入应用ID$/,
  app_secret: /不能为空$|^请输入AppSecret$/,
  bandwidth: /不能为空$|请选择|取值范围在|^请输入带宽$/,
  host: /不能为空$|^请输入地址$/,
  port: /不能为空$|请选择|取值范围在|^请输入端口$/,
  type: /不能为空$|请选择|取值范围在|^请输入类型$/,
  url: /不能为空$|^请输入URL$/,
}

/** Sentences of the document, which name no field. */
const DOCUMENT: readonly (string | null)[] = ['必须6到18位'] // account 5

describe("the server's message about one field", () => {
  it('names each field when it is left out, null, mistyped or too long', async () => {
    const offenders = await findOffenders(refusedFields)((_, field, spec) => {
      expect({ ...FIELD_NAMES, ...OUTER_FIELD_NAMES }).toHaveProperty(field)
      for (const value of SINGLE.absent) {
        const message = messageFor(spec, field, value)
        expect(message ?? '不能为空').toMatch(ABSENT[field] ?? /不能为空$|请选择|取值范围在/)
      }
      for (const value of [...SINGLE.mistyped, ...SINGLE.long]) {
        const message = messageFor(spec, field, value)
        const isPart = PARTS.has(field) // {} lacks what it is made of
        expect(isPart ? '' : (message ?? '')).not.toMatch(/不能为空$/)
        expect(DOCUMENT.includes(message) ? '' : (message ?? '')).not.toMatch(
          /^(必填项|填写的内容|提交的内容|不能|必须|最多|请选择有效的选项)/,
        )
        expect(message ?? '汉').toMatch(/\p{Script=Han}/u)
      }
    })
    expect(offenders).toEqual([])
  })
})

describe('a number of a query', () => {
  it.each([
    ['page', 'abc', '页码格式不正确'],
    ['page', '1x', '页码格式不正确'],
    ['page', '', '页码不能为空'],
    ['page', 'NaN', '页码格式不正确'],
    ['page', '1.5', '页码格式不正确'],
    ['page', '0', '页码必须大于0'],
    ['limit', 'abc', '每页条数格式不正确'],
    ['limit', '7', '请选择有效的每页条数'],
  ])('%s=%s: %s', (field, value, message) => {
    expect(messageFor(networkApi.lists, field, value)).toBe(message)
  })

  it('is taken as text, as a number, or left out', () => {
    for (const page of ['2', ' 2 ', 2])
      expect(networkApi.lists.input.parse({ page })).toMatchObject({ page: 2, limit: 10 })
    expect(networkApi.lists.input.parse({})).toMatchObject({ page: 1, limit: 10 })
  })
})
