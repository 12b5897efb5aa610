import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { API, OPS } from '#contract/api.ts'
import { createInputSentence } from '#contract/kernel/input/input-sentence.ts'
import { OUTER_FIELD_NAMES } from '#contract/ops/field-names.ts'
import { fileMember } from '#contract/router/fields.ts'

z.config({ customError: createInputSentence(OUTER_FIELD_NAMES) })

/** A character that no rule of characters allows, though it is seen. */
const WRONG = '〓'

/** Sentences that the documents fix letter by letter. */
const FIXED = ['昵称不能包含特殊字符', '用户名不能包含特殊字符和中文', '名称不能包含特殊字符和中文']
/** Sentences of a form as a whole (an address, a number, a version), and of secrets, which are not repeated. */
const OF_FORMS = [
  '2次密码输入不一致',
  'AppSecret不正确',
  '密码为6-18位字母或数字',
  '操作编号格式不正确',
  '数据表格式不正确',
  '文件编号格式不正确',
  '校验值格式不正确',
  '版本号格式不正确，例如 1.2.0',
  '生日格式不正确，例如1990-01-31',
  '筛选条件无效，请刷新页面后重试',
  '请填写国家或地区的区号，例如 852',
  '请检查域名格式',
  '请输入正确的DNS地址',
  '请输入正确的IP地址或域名，不含端口',
  '请输入正确的下一跳',
  '请输入正确的公网IP',
  '请输入正确的手机号码',
  '请输入正确的目的IP地址',
  '请输入正确的网段',
  '请输入正确的网络号',
  '请输入正确的邮箱',
  '请输入类型',
  '验证信息不正确',
]

function* textFields(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (typeof value === 'string') yield path
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* textFields(inner, [...path, Array.isArray(value) ? Number(key) : key])
}

function withText(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (text: string) => string,
): unknown {
  if (key === undefined) return change(String(value))
  const copy: Record<string | number, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  copy[key] = withText(copy[key], rest, change)
  return copy
}

/** Refusals of the last character of each text of an example. */
const refusals = (name: string, input: z.ZodType, example: unknown): string[] =>
  [...textFields(example)].flatMap((path) => {
    const result = input.safeParse(withText(example, path, (text) => `${text.slice(0, -1)}${WRONG}`))
    const found = result.error?.issues.filter((issue) => issue.path.join() === path.join()) ?? []
    return found.slice(0, 1).map(({ message }) => `${name} ${path.join('.')}: ${message}`)
  })

const ROW = { account: 'li.na', password: 'Weilai26', area_code: '86', phone: '13800000000', note: '销售 李娜' }

describe('a field that forbids a character', () => {
  it('names it, unless a document fixes the sentence', () => {
    const found = [
      ...[...API, ...OPS].flatMap(({ path, input, example }) => refusals(path, input, example)),
      ...refusals('router/batch', fileMember, ROW),
    ]
    expect(found.filter((line) => line.includes(`不能包含“${WRONG}”`)).length).toBeGreaterThan(8)
    const sentences = found.filter((line) => !line.includes(WRONG)).map((line) => line.replace(/^.*?: /, ''))
    const others = new Set(sentences.filter((text) => !FIXED.includes(text) && !text.startsWith('请选择')))
    expect([...others].toSorted()).toEqual(OF_FORMS)
  })

  it('names a blank by its word, and the first character of several', () => {
    const noteOf = (note: string) => fileMember.safeParse({ ...ROW, note }).error?.issues[0]?.message
    expect(noteOf('A/B')).toBe('备注由文字、数字、空格和_.-()·组成，不能包含“/”')
    expect(noteOf('<b>')).toContain('不能包含“<”')
    expect(noteOf('门店🏪')).toContain('不能包含“🏪”')
    expect(noteOf('阿卜杜·买买提（销售） 1-2_3.4')).toBeUndefined()
  })
})
