import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { API, OPS } from '#contract/api.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { createInputSentence } from '#contract/kernel/input/input-sentence.ts'
import { OUTER_FIELD_NAMES } from '#contract/ops/field-names.ts'
import { parseInput } from '#http/input-issue.ts'

z.config({ customError: createInputSentence(OUTER_FIELD_NAMES) })

const CALLS: readonly Endpoint[] = [...API, ...OPS]

/** Sentence about one field of an input; null if none refuses it. */
async function sentenceAt(spec: Endpoint, field: string, value: unknown): Promise<string | null> {
  const { error } = await parseInput(spec.input, { ...(spec.example as object), [field]: value })
  const [issue] = error?.issues ?? []
  const isChoice = value === undefined && issue?.code === 'custom' // a rule between fields
  return issue?.path[0] === field && !isChoice ? issue.message : null
}

describe('input of a call', () => {
  it('each field has one sentence for an absent and an empty value', async () => {
    const twice: string[] = []
    let compared = 0
    for (const spec of CALLS) {
      for (const field of Object.keys(spec.example as object)) {
        const none = Array.isArray(Reflect.get(spec.example as object, field)) ? [] : ''
        const [absent, empty] = [await sentenceAt(spec, field, undefined), await sentenceAt(spec, field, none)]
        if (absent === null || empty === null) continue
        compared++
        if (absent !== empty) twice.push(`${spec.path} ${field}: ${absent} / ${empty}`)
      }
    }
    expect(twice).toEqual([])
    expect(compared).toBeGreaterThan(200)
  })

  it('a value of another kind keeps its own sentence', async () => {
    const named = z.object({ name: z.string({ error: '名称格式不正确' }).min(1, '请输入名称') })
    const sentences = await Promise.all([{}, { name: '' }, { name: 5 }].map((input) => parseInput(named, input)))
    expect(sentences.map(({ error }) => error?.issues[0]?.message)).toEqual([
      '请输入名称',
      '请输入名称',
      '名称格式不正确',
    ])
  })

  it('names a field inside a list', async () => {
    const rows = z.object({ rows: z.array(z.object({ ip: z.string().min(1, '请输入正确的网络号') })) })
    const { error } = await parseInput(rows, { rows: [{ ip: '10.0.0.0' }, {}] })
    expect(error?.issues[0]).toMatchObject({ path: ['rows', 1, 'ip'], message: '请输入正确的网络号' })
  })
})
