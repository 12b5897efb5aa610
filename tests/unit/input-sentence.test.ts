import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { deviceApi } from '../../worker/contract/device.ts'
import { API, OPS } from '../../worker/contract/index.ts'
import { inputSentence } from '../../worker/contract/input-sentence.ts'

z.config({ customError: inputSentence })

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

const isSentence = (text: string) => /\p{Script=Han}/u.test(text) && !/[a-z]{3,}/i.test(text.replace(/URL|POP/g, ''))

describe('validation messages', () => {
  it.each([...API, ...OPS, deviceApi.enrol].map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    '%s: always a Chinese sentence, never one of the schema library',
    (_, { input, example }) => {
      const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
        properties?: object
      }
      const messages = new Set<string>()
      for (const wrong of wrongInputs(example, Object.keys(properties)))
        for (const { message } of input.safeParse(wrong).error?.issues ?? []) messages.add(message)
      expect([...messages].filter((text) => !isSentence(text))).toEqual([])
      expect(messages.size).toBeGreaterThan(0)
    },
  )
})
